import { existsSync, realpathSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { z } from "zod";
import { StageFailure } from "../../driver";
import type { GraphConfig } from "../checkout";
import { namedFiles } from "../named-paths";
import { isJavaScript } from "../runtime";
import { readTextFileIfThere } from "../text-file";
import { detectInstall, type Install } from "./package-manager";

/** The real JavaScript server. */
export const SERVER_PACKAGE = "@langchain/langgraph-api";

const Names = z.record(z.string(), z.unknown()).default({});
const PackageFile = z.looseObject({
  dependencies: Names,
  devDependencies: Names,
  optionalDependencies: Names,
  scripts: Names,
  workspaces: z.unknown().optional(),
  packageManager: z.string().optional().catch(undefined),
});

/** The folder to install packages in, and the command. */
export interface InstallPlace extends Install {
  /** The folder of the package that needs them. */
  readonly packageFolder: string;
  readonly folder: string;
}

/** The places of the packages of all files that the graph configuration names, that of the first graph first. */
export async function findInstalls(config: GraphConfig): Promise<InstallPlace[]> {
  const files = namedFiles(config).filter(({ path }) => isJavaScript(path));
  const folders = new Set<string>();
  for (const { path } of files) folders.add(await findPackage(config, path));
  return Promise.all([...folders].map((folder) => findInstall(folder, config.root)));
}

/** The nearest folder, from a file up to the root, whose package has dependencies; else the nearest with a package. */
async function findPackage({ root, folder }: GraphConfig, path: string): Promise<string> {
  let nearest: string | undefined;
  for (const at of foldersUp(dirname(resolve(folder, path)), root)) {
    const content = await readPackage(root, at);
    if (!content) continue;
    const { dependencies, devDependencies, optionalDependencies } = content;
    const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
    if (Object.keys(all).length > 0) return at;
    nearest ??= at;
  }
  if (nearest !== undefined) return nearest;
  throw new StageFailure(
    `there is no package.json beside ${relative(root, resolve(folder, path))} or above it; add one with the dependencies of the graphs`,
  );
}

/** In the package's own folder, or at the root of its workspace. */
async function findInstall(packageFolder: string, root: string): Promise<InstallPlace> {
  const inspect = async (folder: string) => {
    const files = await readdir(folder);
    const { workspaces, packageManager } = (await readPackage(root, folder)) ?? {};
    const isRoot = workspaces !== undefined || files.includes("pnpm-workspace.yaml");
    return { ...detectInstall(files, packageManager), packageFolder, folder, isRoot };
  };
  const own = await inspect(packageFolder);
  const above = await Promise.all(foldersUp(packageFolder, root).slice(1).map(inspect));
  const workspace = above.find(({ isRoot }) => isRoot);
  return own.lockFile || !workspace ? own : workspace;
}

/** Scripts that an install runs; their output may depend on any file of the repository. */
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall", "prepublish", "prepare"];

/** Whether the package of a folder has scripts that an install runs. */
export async function hasInstallScripts(root: string, folder: string): Promise<boolean> {
  const content = await readPackage(root, folder);
  return INSTALL_SCRIPTS.some((name) => name in (content?.scripts ?? {}));
}

/**
 * The file of the server that is installed in a package's folder or above it, up to the root; undefined if there is none.
 * pnpm installs it beside the public tool alone. What is above the root is a project of the user's.
 */
export function resolveServer(folder: string, root: string): string | undefined {
  const folders = foldersUp(folder, root);
  const found = [SERVER_PACKAGE, "@langchain/langgraph-cli"]
    .flatMap((name) => folders.map((at) => join(at, "node_modules", name)))
    .find((path) => existsSync(path));
  if (found === undefined) return undefined;
  try {
    return createRequire(join(realpathSync(found), "package.json")).resolve(
      `${SERVER_PACKAGE}/server`,
    );
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
