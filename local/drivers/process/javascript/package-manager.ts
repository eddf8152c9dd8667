/** The command that installs the packages of a repository. */
export interface Install {
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
/** Without a lock file, the package manager that package.json names. */
const UNPINNED: Readonly<Record<string, string>> = {
  yarn: "yarn install",
  pnpm: "pnpm i",
  bun: "bun i",
};

/** The files besides `package.json` that package managers read or write during an install. */
export const MANAGER_FILES: readonly string[] = [
  ...INSTALLS.map(({ lockFile }) => lockFile),
  "npm-shrinkwrap.json",
  "pnpm-workspace.yaml",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
];

/** The install of a folder with these files, and the package manager that its package names, such as `pnpm@9.1.0`. */
export function detectInstall(fileNames: readonly string[], packageManager = "npm"): Install {
  const name = packageManager.split("@", 1)[0] ?? "";
  const unpinned = { lockFile: undefined, command: UNPINNED[name] ?? "npm i" };
  return INSTALLS.find(({ lockFile }) => fileNames.includes(lockFile)) ?? unpinned;
}
