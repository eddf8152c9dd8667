import { recordOf, textOf } from "../../../../shared/records";

/** The command that installs the packages of a repository. */
export interface Install {
  readonly lockFile: string | undefined;
  readonly command: string;
}

/** In the public service's order: the first with a lock file is used, else the one that package.json names. */
const MANAGERS = [
  { name: "yarn", lockFile: "yarn.lock", locked: "yarn install", unlocked: "yarn install" },
  {
    name: "pnpm",
    lockFile: "pnpm-lock.yaml",
    locked: "pnpm i --frozen-lockfile",
    unlocked: "pnpm i",
  },
  { name: "npm", lockFile: "package-lock.json", locked: "npm ci", unlocked: "npm i" },
  { name: "bun", lockFile: "bun.lockb", locked: "bun i", unlocked: "bun i" },
] as const;

/** The files besides `package.json` that package managers read or write during an install. */
export const MANAGER_FILES: readonly string[] = [
  ...MANAGERS.map(({ lockFile }) => lockFile),
  "bun.lock",
  "npm-shrinkwrap.json",
  "pnpm-workspace.yaml",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
];

/** The install of a folder with these files and this content of its `package.json`. */
export function detectInstall(
  fileNames: readonly string[],
  content: Readonly<Record<string, unknown>> = {},
): Install {
  const pinned = MANAGERS.find(({ lockFile }) => fileNames.includes(lockFile));
  if (pinned) return { lockFile: pinned.lockFile, command: pinned.locked };
  const manager = managerOf(content);
  const named = MANAGERS.find(({ name }) => name === manager);
  return { lockFile: undefined, command: named?.unlocked ?? "npm i" };
}

/** The package manager that a package names: `"packageManager": "pnpm@9.1.0"`, or `devEngines`, by which npm refuses others. */
function managerOf({ packageManager, devEngines }: Readonly<Record<string, unknown>>) {
  const pinned = textOf(packageManager)?.split("@", 1)[0];
  return pinned || textOf(recordOf(recordOf(devEngines)["packageManager"])["name"]);
}
