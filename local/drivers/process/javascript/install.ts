import { readFile, rm } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { StageFailure } from "../../driver";
import type { Build } from "../build";
import { keyOf } from "../cache";
import { runCommand, shellCommand } from "../commands";
import { originOf } from "../source";
import { linkModules, moveFolder } from "./modules";
import {
  findInstall,
  hasInstallScripts,
  resolveServer,
  SERVER_PACKAGE,
  type InstallPlace,
} from "./package";
import { MANAGER_FILES } from "./package-manager";

/**
 * Installs the packages of a JavaScript graph, or links those that an earlier build installed from the same files; the
 * key of the cache's entry, null when there is none.
 */
export async function installPackages(build: Build, packageFolder: string): Promise<string | null> {
  const { cache, config, log } = build;
  const place = await findInstall(packageFolder, config.root);
  const modules = join(place.folder, "node_modules");
  const key = keyOf(await dependsOn(build, packageFolder, place));
  const isKept = await cache.alone(key, build, async () => {
    const found = await cache.find(key);
    if (found) log("the packages are those of an earlier build from the same files");
    else await install(build, place);
    const entry = found ?? (await keep(build, modules, key));
    if (!entry) return false;
    await rm(modules, { recursive: true, force: true });
    await linkModules(join(entry, "node_modules"), modules);
    return true;
  });
  if (resolveServer(config.folder) === undefined)
    throw new StageFailure(
      `${SERVER_PACKAGE} is a dependency, but the install did not put it into node_modules: let it do so (yarn: "nodeLinker: node-modules")`,
    );
  return isKept ? key : null;
}

async function install(build: Build, place: InstallPlace): Promise<void> {
  const { environment, config } = build;
  const given = build.revision.sourceConfig.install_command;
  if (given) {
    const where = { setting: "install_command", cwd: config.root, environment };
    return runCommand(build, shellCommand(given, where));
  }
  const { command, folder, lockFile } = place;
  const program = command.split(" ")[0];
  const whenMissing = `${program} is not installed, but ${lockFile ?? "package.json"} asks for it: install it, and make it found on PATH`;
  return runCommand(build, shellCommand(command, { cwd: folder, environment, whenMissing }));
}

/** Moves `node_modules` into the cache, unless the install changed more than that: it would be missing in later builds. */
async function keep(build: Build, modules: string, key: string): Promise<string | undefined> {
  const { cache, git, config, signal, log } = build;
  const made = `${relative(config.root, modules)}/`;
  const changed = await git.changes(config.root, signal);
  const other = changed.find((path) => path !== made && !MANAGER_FILES.includes(basename(path)));
  if (changed.includes(made) && !other)
    return cache.add(key, (folder) => moveFolder(modules, join(folder, "node_modules")));
  if (other) log(`later builds have to install again, as the install has changed ${other} too`);
  return undefined;
}

/** All that the packages depend on. */
async function dependsOn(build: Build, packageFolder: string, { folder, command }: InstallPlace) {
  const { revision, config } = build;
  const paths = [
    join(packageFolder, "package.json"),
    ...["package.json", ...MANAGER_FILES].map((name) => join(folder, name)),
  ];
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8").catch(() => null)));
  const isScripted = (await hasInstallScripts(folder)) || (await hasInstallScripts(packageFolder));
  return {
    runtime: ["javascript", process.version, process.platform, process.arch],
    command: revision.sourceConfig.install_command ?? command,
    files: paths.map((path, index) => [relative(config.root, path), texts[index]]),
    commit: isScripted ? originOf(revision).commit : null,
  };
}
