import { rm } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import type { Build } from "../build-options";
import { cacheKey } from "../cache";
import { runCommand, runSetting } from "../commands";
import { gitSourceOf } from "../source";
import { MAX_LOCK_MIB, readTextFileIfThere } from "../text-file";
import { linkModules, moveFolder } from "./modules";
import { hasInstallScripts, type InstallPlace } from "./package";
import { MANAGER_FILES } from "./package-manager";

/** Installs packages, or links cached ones from the same files. Returns the key of the cache entry if they can be cached. */
export async function installPackages(build: Build, place: InstallPlace): Promise<string[]> {
  const { cache, log } = build;
  const modules = join(place.folder, "node_modules");
  const key = cacheKey(await dependsOn(build, place));
  return cache.withLock(key, build, async () => {
    const found = await cache.find(key);
    if (found) log("using cached packages: an earlier build installed them from the same files");
    else await install(build, place);
    const entry = found ?? (await keep(build, modules, key));
    if (!entry) return [];
    await rm(modules, { recursive: true, force: true });
    await linkModules(join(entry, "node_modules"), modules);
    return [key];
  });
}

async function install(build: Build, { command, folder, lockFile }: InstallPlace): Promise<void> {
  const { environment, config, revision } = build;
  if (revision.sourceConfig.install_command)
    return runSetting(build, "install_command", { cwd: config.root, environment });
  const program = command.split(" ")[0];
  const whenMissing = `${program} is not installed, but ${lockFile ?? "package.json"} needs it; install it and add it to PATH`;
  const args = ["-c", command];
  const shell = { title: command, file: "/bin/sh", args, cwd: folder, environment, whenMissing };
  return runCommand(build, shell);
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
async function dependsOn(build: Build, { packageFolder, folder, command }: InstallPlace) {
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
