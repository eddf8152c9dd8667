import { rm } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { StageFailure } from "../../driver";
import type { Build } from "../build-options";
import { cacheKey } from "../cache";
import { runCommand, shellCommand } from "../commands";
import { gitSourceOf } from "../source";
import { MAX_LOCK_MIB, readTextFileIfThere } from "../text-file";
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
 * Installs the packages of a JavaScript graph, or links cached ones from the same files. Returns the key of the cache
 * entry, null for packages that can't be cached.
 */
export async function installPackages(build: Build, packageFolder: string): Promise<string | null> {
  const { cache, config, log } = build;
  const place = await findInstall(packageFolder, config.root);
  const modules = join(place.folder, "node_modules");
  const key = cacheKey(await dependsOn(build, packageFolder, place));
  const isKept = await cache.withLock(key, build, async () => {
    const found = await cache.find(key);
    if (found) log("using cached packages: an earlier build installed them from the same files");
    else await install(build, place);
    const entry = found ?? (await keep(build, modules, key));
    if (!entry) return false;
    await rm(modules, { recursive: true, force: true });
    await linkModules(join(entry, "node_modules"), modules);
    return true;
  });
  if (resolveServer(config.folder) === undefined)
    throw new StageFailure(
      `${SERVER_PACKAGE} is a dependency but was not installed into node_modules; configure the package manager to use node_modules (yarn: "nodeLinker: node-modules")`,
    );
  return isKept ? key : null;
}

async function install(build: Build, place: InstallPlace): Promise<void> {
  const { environment, config } = build;
  const custom = build.revision.sourceConfig.install_command;
  if (custom) {
    const where = { setting: "install_command", cwd: config.root, environment };
    return runCommand(build, shellCommand(custom, where));
  }
  const { command, folder, lockFile } = place;
  const program = command.split(" ")[0];
  const whenMissing = `${program} is not installed, but ${lockFile ?? "package.json"} needs it; install it and add it to PATH`;
  return runCommand(build, shellCommand(command, { cwd: folder, environment, whenMissing }));
}

/** Moves `node_modules` into the cache, unless the install changed other files, which later builds would lack. */
async function keep(build: Build, modules: string, key: string): Promise<string | undefined> {
  const { cache, git, config, signal, log } = build;
  const modulesPath = `${relative(config.root, modules)}/`;
  const changed = await git.changes(config.root, signal);
  const other = changed.find(
    (path) => path !== modulesPath && !MANAGER_FILES.includes(basename(path)),
  );
  if (changed.includes(modulesPath) && !other)
    return cache.add(key, (folder) => moveFolder(modules, join(folder, "node_modules")));
  if (other) log(`not caching the packages: the install changed ${other} too`);
  return undefined;
}

/** Everything that the packages depend on. */
async function dependsOn(build: Build, packageFolder: string, { folder, command }: InstallPlace) {
  const { revision, config } = build;
  const { root } = config;
  const paths = [
    join(packageFolder, "package.json"),
    ...["package.json", ...MANAGER_FILES].map((name) => join(folder, name)),
  ];
  const texts = await Promise.all(
    paths.map((path) => readTextFileIfThere(root, relative(root, path), MAX_LOCK_MIB)),
  );
  const isScripted =
    (await hasInstallScripts(root, folder)) || (await hasInstallScripts(root, packageFolder));
  return {
    runtime: ["javascript", process.version, process.platform, process.arch],
    command: revision.sourceConfig.install_command ?? command,
    files: paths.map((path, index) => [relative(root, path), texts[index] ?? null]),
    commit: isScripted ? gitSourceOf(revision).commit : null,
  };
}
