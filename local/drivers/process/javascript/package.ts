import { existsSync, realpathSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { recordOf } from "../../../../shared/records";
import { StageFailure } from "../../driver";
import { inRepository, type GraphConfig } from "../checkout";
import { namedFiles } from "../named-paths";
import { isJavaScript } from "../runtime";
import { readTextFile } from "../repository-file";
import { parseJson } from "../servers/output";
import { detectInstall, type Install } from "./package-manager";

/** The real JavaScript server. */
export const SERVER_PACKAGE = "@langchain/langgraph-api";

const DEPENDENCIES = ["dependencies", "devDependencies", "optionalDependencies"];

/** The folder to install packages in, and the command. */
export interface InstallPlace extends Install {
  readonly folder: string;
  /** The folder of the package that needs them. */
  readonly packageFolder: string;
  /** Whether an install runs scripts of the repository, whose output may depend on any of its files. */
  readonly isScripted: boolean;
}

/** Scripts of a package that an install runs. */
const INSTALL_SCRIPT = /"(?:(?:pre|post)?install|prepublish|prepare)"\s*:/;

/** The places of the packages of all files that the graph configuration names, that of the first graph first. */
export async function findInstalls(config: GraphConfig): Promise<InstallPlace[]> {
  const places = new Map<string, InstallPlace>();
  for (const { path } of namedFiles(config).filter((file) => isJavaScript(file.path))) {
    const place = await findInstall(config.root, inRepository(config, path));
    if (!places.has(place.packageFolder)) places.set(place.packageFolder, place);
  }
  return [...places.values()];
}

/**
 * The package of a file is the nearest one, up to the root, that has dependencies, else the nearest one. It is installed
 * in its own folder, or at the root of its workspace.
 */
async function findInstall(root: string, path: string): Promise<InstallPlace> {
  const folders = foldersUp(dirname(join(root, path)), root).filter((at) => existsSync(at));
  const all = await Promise.all(folders.map((folder) => inspectFolder(root, folder)));
  const packages = all.filter(({ content }) => content);
  const needing = packages.find(({ content }) =>
    DEPENDENCIES.some((name) => Object.keys(recordOf(content?.[name])).length > 0),
  );
  const chosen = needing ?? packages[0];
  if (!chosen)
    throw new StageFailure(
      `there is no package.json beside ${path} or above it; add one with the dependencies of the graphs`,
    );
  const workspace = all.slice(all.indexOf(chosen) + 1).find(({ isRoot }) => isRoot);
  const place = chosen.install.lockFile || !workspace ? chosen : workspace;
  const isScripted = chosen.isScripted || place.isScripted;
  return { ...place.install, folder: place.folder, packageFolder: chosen.folder, isScripted };
}

/** `content` is that of the folder's `package.json`, if it has one. */
async function inspectFolder(root: string, folder: string) {
  const text = await readTextFile(root, relative(root, join(folder, "package.json")));
  // What is not JSON is for the package manager to report.
  const content = text === undefined ? undefined : recordOf(parseJson(text.trim()));
  const files = await readdir(folder);
  const install = detectInstall(files, content);
  const isRoot = content?.["workspaces"] !== undefined || files.includes("pnpm-workspace.yaml");
  return { folder, content, install, isRoot, isScripted: INSTALL_SCRIPT.test(text ?? "") };
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
    const { resolve } = createRequire(join(realpathSync(found), "package.json"));
    // Versions below 1.0 do not export it.
    return join(dirname(resolve(`${SERVER_PACKAGE}/package.json`)), "dist/server.mjs");
  } catch {
    return undefined;
  }
}

function foldersUp(from: string, to: string): string[] {
  return from === to ? [to] : [from, ...foldersUp(dirname(from), to)];
}
