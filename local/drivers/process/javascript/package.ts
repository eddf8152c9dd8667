import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import type { GraphConfig } from "../checkout";
import { readTextFileIfThere } from "../text-file";
import { detectInstall, type Install } from "./package-manager";

/** The real JavaScript server; a repository that depends on it is run by it. */
export const SERVER_PACKAGE = "@langchain/langgraph-api";

const Names = z.record(z.string(), z.unknown()).default({});
const PackageFile = z.looseObject({
  dependencies: Names,
  devDependencies: Names,
  optionalDependencies: Names,
  scripts: Names,
});

/** The folder to install packages in, and the command. */
export interface InstallPlace extends Install {
  readonly folder: string;
}

/** The nearest folder, from the graph configuration up to the root, whose package depends on the real server. */
export async function findPackage({ root, folder }: GraphConfig): Promise<string | undefined> {
  for (const at of foldersUp(folder, root)) {
    const content = await readPackage(root, at);
    if (!content) continue;
    const { dependencies, devDependencies, optionalDependencies } = content;
    if (SERVER_PACKAGE in { ...dependencies, ...devDependencies, ...optionalDependencies })
      return at;
  }
  return undefined;
}

/** The folder to install packages in: beside the lock file, which in a workspace is further up. */
export async function findInstall(packageFolder: string, root: string): Promise<InstallPlace> {
  for (const folder of foldersUp(packageFolder, root)) {
    const install = detectInstall(await readdir(folder));
    if (install.lockFile) return { ...install, folder };
  }
  return { ...detectInstall([]), folder: packageFolder };
}

/** Scripts that an install runs; their output may depend on any file of the repository. */
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall", "prepublish", "prepare"];

/** Whether the package of a folder has scripts that an install runs. */
export async function hasInstallScripts(root: string, folder: string): Promise<boolean> {
  const content = await readPackage(root, folder);
  return INSTALL_SCRIPTS.some((name) => name in (content?.scripts ?? {}));
}

/** The file of the installed server, as resolved from the graph configuration's folder; undefined if there is none. */
export function resolveServer(folder: string): string | undefined {
  try {
    return createRequire(join(folder, "package.json")).resolve(`${SERVER_PACKAGE}/server`);
  } catch {
    return undefined;
  }
}

async function readPackage(root: string, folder: string) {
  const text = await readTextFileIfThere(root, relative(root, join(folder, "package.json")));
  if (text === undefined) return undefined;
  try {
    return PackageFile.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // the package manager reports it
  }
}

function foldersUp(from: string, to: string): string[] {
  return from === to ? [to] : [from, ...foldersUp(dirname(from), to)];
}
