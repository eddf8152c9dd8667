import { oneLine } from "../../../shared/printable";
import type { Work } from "../driver";
import type { Build, BuildOptions } from "./build-options";
import { readGraphConfig } from "./checkout";
import { checkCommands, runSetting } from "./commands";
import { buildJavaScript } from "./javascript/build";
import { checkMembers } from "./members";
import { checkPaths } from "./named-paths";
import { buildPython } from "./python/build";
import { writeRecord, type BuildRecord } from "./record";
import { chooseRuntime, SERVER_NAMES } from "./runtime";
import { graphConfigPath, gitSourceOf } from "./source";

const BUILDS = {
  "built-in": buildForBuiltIn,
  javascript: buildJavaScript,
  python: buildPython,
} as const;

/**
 * Checks out the revision's commit, reads and checks its graph configuration, installs what its server needs, runs
 * the deployment's commands, and writes the record from which the server is started.
 */
export async function buildRevision(options: BuildOptions, work: Work): Promise<void> {
  const { revision, signal, log } = work;
  const { folders, cache, git, agentServer } = options;
  checkCommands(revision);
  const source = gitSourceOf(revision);
  const checkout = folders.path(revision, "checkout");
  log(`fetching commit ${source.commit} of ${source.repoUrl}`);
  await git.checkout(source, checkout, signal);
  const path = graphConfigPath(revision);
  const config = await readGraphConfig(checkout, path);
  log(oneLine(`graphs in ${path}: ${Object.keys(config.graphs).join(", ")}`));
  const build: Build = { ...options, ...work, config };
  const runtime = agentServer === "built-in" ? agentServer : chooseRuntime(config);
  log(`using ${SERVER_NAMES[runtime]}`);
  if (runtime !== "built-in") {
    checkMembers(build, runtime);
    await checkPaths(build, runtime);
  }
  try {
    // The record marks the cache entries as used.
    await writeRecord(folders.path(revision, "runtime.json"), await BUILDS[runtime](build));
  } finally {
    cache.release(revision);
  }
}

async function buildForBuiltIn(build: Build): Promise<BuildRecord> {
  await runSetting(build, "install_command");
  await runSetting(build, "build_command");
  return { runtime: "built-in" };
}
