import { readGraphConfig } from "./checkout";
import type { Build, BuildOptions } from "./build-options";
import type { Environment } from "./keeper/keeper";
import type { Work } from "../driver";
import { checkCommand, runCommand, shellCommand } from "./commands";
import { installPackages } from "./javascript/install";
import { installPython } from "./python/install";
import { writeRecord, type BuildRecord } from "./record";
import { chooseRuntime, SERVER_NAMES } from "./runtime";
import { graphConfigPath, gitSourceOf } from "./source";

/**
 * Checks out the revision's commit, reads its graph configuration, installs what its server needs, runs
 * `build_command`, and writes the record from which the server is started.
 */
export async function buildRevision(options: BuildOptions, work: Work): Promise<void> {
  const { revision, signal, log } = work;
  const { install_command: install, build_command: text } = revision.sourceConfig;
  checkCommand("install_command", install);
  checkCommand("build_command", text);
  const source = gitSourceOf(revision);
  const checkout = options.folders.checkout(revision);
  log(`fetching commit ${source.commit} of ${source.repoUrl}`);
  await options.git.checkout(source, checkout, signal);
  const path = graphConfigPath(revision);
  const config = await readGraphConfig(checkout, path);
  log(`graphs in ${path}: ${Object.keys(config.graphs).join(", ")}`);
  const build: Build = { ...options, ...work, config };
  const environment = await installAndRecord(build);
  if (!text) return;
  const where = { setting: "build_command", cwd: config.folder, environment };
  await runCommand(build, shellCommand(text, where));
}

/** Installs and writes the record, which marks the cache entry as used. Returns the environment of `build_command`. */
async function installAndRecord(build: Build): Promise<Environment> {
  const { cache, folders, revision } = build;
  try {
    const { record, environment } = await prepare(build);
    await writeRecord(folders.record(revision), record);
    return environment;
  } finally {
    cache.release(revision);
  }
}

/** Chooses the server and installs what it needs. `environment` is that of `build_command`. */
async function prepare(
  build: Build,
): Promise<{ readonly record: BuildRecord; readonly environment: Environment }> {
  const { config, environment, log } = build;
  const runtime = await chooseRuntime(config);
  log(`using ${SERVER_NAMES[runtime.kind]}, because ${runtime.reason}`);
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
