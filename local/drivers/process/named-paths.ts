import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { oneLine } from "../../../shared/printable";
import { isRecord, recordOf, textOf } from "../../../shared/records";
import { StageFailure } from "../driver";
import type { Build } from "./build-options";
import { inRepository, type GraphConfig } from "./checkout";
import { isOutside } from "./config-environment";
import { fileOf, isJavaScript, type Runtime } from "./runtime";
import { findFile, findInside, isWithin, MAX_LOCK_MIB } from "./repository-file";

/** The files that a graph configuration names, with their owners in errors; a name of a Python module is not one. */
export function namedFiles({ graphs, content }: GraphConfig) {
  const { auth, checkpointer, http, ui } = content;
  const named: (readonly [owner: string, path: unknown])[] = [
    ...Object.entries(graphs).map(([name, path]) => [`graph '${name}'`, path] as const),
    ...Object.entries(recordOf(ui)).map(([name, path]) => [`"ui" '${name}'`, path] as const),
    ['"auth"', recordOf(auth)["path"]],
    ['"checkpointer"', recordOf(checkpointer)["path"]],
    ['"http.app"', recordOf(http)["app"]],
  ];
  return named
    .map(([owner, path]) => ({ owner: oneLine(owner), path: fileOf(textOf(path) ?? "") }))
    .filter(({ path }) => path.includes("/") || isJavaScript(path));
}

function dependenciesOf({ content: { dependencies } }: GraphConfig): string[] {
  return (Array.isArray(dependencies) ? dependencies : []).map((path) => textOf(path) ?? "");
}

function namedFolders(config: GraphConfig) {
  const { source } = config.content;
  const folders = dependenciesOf(config).filter((path) => path.startsWith("."));
  return [
    ...folders.map((path) => ({ owner: `dependency '${path}'`, path })),
    ...(isRecord(source) ? [{ owner: '"source.root"', path: textOf(source["root"]) ?? "." }] : []),
  ];
}

/** Files in which package managers look for what a folder depends on; an honest one is a small file of its own. */
const PACKAGE_FILES = ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "uv.lock"];

/** Checks, before anything is installed, that what the graph configuration names is there. Throws `StageFailure`. */
export async function checkPaths(
  build: Build,
  runtime: Exclude<Runtime, "built-in">,
): Promise<void> {
  const { config, git, signal, log } = build;
  const missing = await git.unfetched(config.root, signal);
  const files = namedFiles(config);
  const folders = namedFolders(config);
  for (const named of [...files, ...folders]) {
    const path = inRepository(config, named.path);
    const other = missing.find((found) => isWithin(path, found));
    if (other !== undefined)
      throw new StageFailure(
        `${named.owner} is in '${other}', a submodule or a file of Git LFS, which are not fetched; commit its content`,
      );
    if (folders.includes(named)) await checkKind(config.root, path, named.owner, "folder", ADD);
  }
  await checkFiles(build, runtime === "javascript" ? null : ADD);
  for (const { path } of folders)
    for (const name of PACKAGE_FILES)
      await findFile(config.root, inRepository(config, path, name), { maxMib: MAX_LOCK_MIB });
  const places = [...folders.map(({ path }) => path), ...files.map(({ path }) => dirname(path))];
  const below = places.map((place) => inRepository(config, place));
  const beside = missing.filter((path) => below.some((place) => isWithin(path, place)));
  if (typeof config.env === "string" && isOutside(config, config.env))
    log(`"env": "${config.env}" is outside the repository and is not read`);
  const packages = runtime === "python" ? dependenciesOf(config) : [];
  const isFolderToo = (name: string) => /^\w/.test(name) && existsSync(join(config.folder, name));
  for (const name of packages.filter(isFolderToo))
    log(
      `dependency '${name}' is taken from the package index, as by the public tool; write './${name}' for the folder of the repository`,
    );
  if (beside.length > 0)
    log(`submodules and files of Git LFS are not fetched: ${beside.join(", ")}`);
}

const ADD = "add it, or correct the path";
const ADD_OR_CREATE = "add it, correct the path, or set a build_command that creates it";

/**
 * Checks the files that the graph configuration names. `advice` is for one that is missing; with null none is missed.
 * Throws `StageFailure`.
 */
export async function checkFiles(
  { config }: Build,
  advice: string | null = ADD_OR_CREATE,
): Promise<void> {
  for (const { owner, path } of namedFiles(config))
    await checkKind(config.root, inRepository(config, path), owner, "file", advice);
}

async function checkKind(
  root: string,
  path: string,
  owner: string,
  kind: "file" | "folder",
  advice: string | null,
) {
  const named = `${owner} in the graph configuration`;
  const real = await findInside(root, path, named);
  if (real === undefined) {
    if (advice === null) return;
    throw new StageFailure(`${named}: ${kind} '${path}' not found in the repository; ${advice}`);
  }
  const found = await stat(real);
  if (kind === "file" ? found.isFile() : found.isDirectory()) return;
  throw new StageFailure(
    `${named}: '${path}' is not a ${kind}; name ${kind === "file" ? "a file in it" : "the folder that it is in"}`,
  );
}
