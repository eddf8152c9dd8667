import { readGraphConfig, type GraphConfig } from "./checkout";
import type { Git } from "./git/git";
import type { Environment, Keeper } from "./keeper/keeper";
import type { Work } from "../driver";
import type { Cache } from "./cache";
import { checkCommand, runCommand, shellCommand } from "./commands";
import type { Folders } from "./folders";
import { installPackages } from "./javascript/install";
import { installPython } from "./python/install";
import { writeRecord, type BuildRecord } from "./record";
import { chooseRuntime, SERVED_BY } from "./runtime";
import { graphConfigPath, originOf } from "./source";

/** What builds work with. */
export interface BuildParts {
  readonly keeper: Keeper;
  readonly git: Git;
  readonly folders: Folders;
  readonly cache: Cache;
  /** Without the deployment's secrets. */
  readonly environment: Environment;
  /** For each command. */
  readonly limitSeconds: number;
}

/** One build, once its files are there. */
export interface Build extends BuildParts, Work {
  readonly config: GraphConfig;
}

/**
 * Puts the revision's commit into a folder, checks its graph configuration, installs what its server needs, builds, and
 * leaves a record for the server's starts.
 */
export async function buildRevision(parts: BuildParts, work: Work): Promise<void> {
  const { revision, signal, log } = work;
  const { install_command: install, build_command: text } = revision.sourceConfig;
  checkCommand("install_command", install);
  checkCommand("build_command", text);
  const origin = originOf(revision);
  const checkout = parts.folders.checkout(revision);
  log(`getting commit ${origin.commit} of ${origin.repoUrl}`);
  await parts.git.checkout(origin, checkout, signal);
  const path = graphConfigPath(revision);
  const config = await readGraphConfig(checkout, path);
  log(`graphs of ${path}: ${Object.keys(config.graphs).join(", ")}`);
  const build: Build = { ...parts, ...work, config };
  const environment = await installAndRecord(build);
  if (!text) return;
  const where = { setting: "build_command", cwd: config.folder, environment };
  await runCommand(build, shellCommand(text, where));
}

/** Installs, and leaves the record, by which what was installed is known to be in use; the environment is `build_command`'s. */
async function installAndRecord(build: Build): Promise<Environment> {
  const { cache, folders, revision } = build;
  try {
    const { record, environment } = await prepare(build);
    await writeRecord(folders.record(revision), record);
    return environment;
  } finally {
    cache.letGo(revision);
  }
}

/** Chooses the server and installs what it needs; the environment is `build_command`'s. */
async function prepare(
  build: Build,
): Promise<{ readonly record: BuildRecord; readonly environment: Environment }> {
  const { config, environment, log } = build;
  const runtime = await chooseRuntime(config);
  log(`to be ${SERVED_BY[runtime.kind]}, as ${runtime.because}`);
  if (runtime.kind === "javascript") {
    const cache = await installPackages(build, runtime.packageFolder);
    return { record: { runtime: "javascript", cache }, environment };
  }
  if (runtime.kind === "python") return installPython(build);
  const { install_command: install } = build.revision.sourceConfig;
  const where = { setting: "install_command", cwd: config.root, environment };
  if (install) await runCommand(build, shellCommand(install, where));
  return { record: { runtime: "built-in" }, environment };
}
