import { realpath, symlink, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { StageFailure } from "../../driver";
import type { Build } from "../build-options";
import { cacheKey } from "../cache";
import { readGraphConfig } from "../checkout";
import { linesOf, runSetting } from "../commands";
import { moveFolder, removeFolder } from "../folders";
import type { BuildRecord } from "../record";
import { gitSourceOf, graphConfigPath } from "../source";
import { findPython } from "./interpreter";
import { installPlan } from "./install";
import { readPlan } from "./plan";
import { serverPackages } from "./server-packages";
import { activated, CLI, findTools, type PythonBuild } from "./tools";

/**
 * Builds a commit for the real Python server: a virtual environment, and a checkout from which it imports the
 * repository's own packages. Revisions with the same commit and settings share the build. Each has a copy of the
 * checkout, where its server runs.
 */
export async function buildPython(build: Build): Promise<BuildRecord> {
  const { cache, folders, revision, config, log } = build;
  const { install_command: install, build_command: command } = revision.sourceConfig;
  const python = await findPython(build);
  log(`using ${python.file} (Python ${python.version})`);
  const key = cacheKey({
    runtime: ["python", python.file, python.version, process.platform, process.arch],
    packages: [CLI, ...serverPackages(config.content["api_version"])],
    commit: gitSourceOf(revision).commit,
    settings: [graphConfigPath(revision), install ?? null, command ?? null],
  });
  const entry = await cache.withLock(key, build, async () => {
    const found = await cache.find(key);
    if (found) log("using a finished build: an earlier revision has the same commit and settings");
    return found ?? cache.add(key, (folder) => create({ ...build, python }, folder));
  });
  const checkout = folders.path(revision, "checkout");
  await removeFolder(checkout);
  const copy = { file: "cp", args: ["-RPp", join(entry, "checkout"), checkout] };
  if (!(await linesOf(build, copy)))
    throw new StageFailure("cannot copy the checkout of the build; see whether the disk is full");
  return { runtime: "python", caches: [key], venv: join(entry, "venv") };
}

async function create(given: PythonBuild, emptyFolder: string): Promise<void> {
  const { folders, revision } = given;
  const folder = await realpath(emptyFolder);
  await moveFolder(folders.path(revision, "checkout"), join(folder, "checkout"));
  // uv looks for settings in the folders around a package, which may be in a project of the user's.
  await writeFile(join(folder, "uv.toml"), "");
  const config = await readGraphConfig(join(folder, "checkout"), graphConfigPath(revision));
  const build = { ...given, config };
  const tools = await findTools(build);
  const plan = await readPlan(build, tools);
  const venv = join(folder, "venv");
  const settings = { ...tools.settings, ...build.environment };
  await installPlan({ ...build, environment: settings, tools, plan, folder, venv });
  const environment = activated(settings, venv);
  // Commands of the deployment may call uv; a package of the repository may bring its own.
  if (tools.uv && isAbsolute(tools.uv))
    await symlink(tools.uv, join(venv, "bin/uv")).catch(() => undefined);
  await runSetting(build, "install_command", environment);
  await runSetting(build, "build_command", environment);
}
