/** How the packages of a repository are installed. */
export interface Install {
  /** The file that pins the packages. */
  readonly lockFile: string | undefined;
  readonly command: string;
}

/** The first whose lock file is there is taken, as the public service does. */
const INSTALLS = [
  { lockFile: "yarn.lock", command: "yarn install" },
  { lockFile: "pnpm-lock.yaml", command: "pnpm i --frozen-lockfile" },
  { lockFile: "package-lock.json", command: "npm ci" },
  { lockFile: "bun.lockb", command: "bun i" },
] as const;
const UNPINNED: Install = { lockFile: undefined, command: "npm i" };

/** The files that package managers read beside `package.json`, or write while they install. */
export const MANAGER_FILES: readonly string[] = [
  ...INSTALLS.map(({ lockFile }) => lockFile),
  "npm-shrinkwrap.json",
  "pnpm-workspace.yaml",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
];

/** The install of a folder that holds these files. */
export function detectInstall(fileNames: readonly string[]): Install {
  return INSTALLS.find(({ lockFile }) => fileNames.includes(lockFile)) ?? UNPINNED;
}
