/** The command that installs the packages of a repository. */
export interface Install {
  /** The file that pins the packages. */
  readonly lockFile: string | undefined;
  readonly command: string;
}

/** In the public service's order: the first with a lock file is used. */
const INSTALLS = [
  { lockFile: "yarn.lock", command: "yarn install" },
  { lockFile: "pnpm-lock.yaml", command: "pnpm i --frozen-lockfile" },
  { lockFile: "package-lock.json", command: "npm ci" },
  { lockFile: "bun.lockb", command: "bun i" },
] as const;
const UNPINNED: Install = { lockFile: undefined, command: "npm i" };

/** The files besides `package.json` that package managers read or write during an install. */
export const MANAGER_FILES: readonly string[] = [
  ...INSTALLS.map(({ lockFile }) => lockFile),
  "npm-shrinkwrap.json",
  "pnpm-workspace.yaml",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
];

/** The install of a folder with these files. */
export function detectInstall(fileNames: readonly string[]): Install {
  return INSTALLS.find(({ lockFile }) => fileNames.includes(lockFile)) ?? UNPINNED;
}
