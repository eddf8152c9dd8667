import { existsSync } from "node:fs";
import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import type { Build } from "../build-options";
import { cacheKey } from "../cache";
import { runCommand, runSetting } from "../commands";
import { moveFolder, removeFolder } from "../folders";
import { MAX_LOCK_MIB, readTextFile } from "../repository-file";
import { gitSourceOf } from "../source";
import type { InstallPlace } from "./package";
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
    await removeFolder(modules);
    await linkModules(join(entry, "node_modules"), modules);
    return [key];
  });
}

async function install(build: Build, { command, folder, lockFile }: InstallPlace): Promise<void> {
  if (build.revision.sourceConfig.install_command) return runSetting(build, "install_command");
  const program = command.split(" ")[0];
  if (program !== "bun" && existsSync(join(folder, "bun.lock")))
    build.log(
      "bun.lock is not read, as by the public tools; to use bun, set packageManager in package.json, or install_command",
    );
  const whenMissing = `${program} is not installed, but ${lockFile ?? "package.json"} needs it; install it, add it to PATH, and start the local platform again`;
  const { environment } = build;
  const shell = { file: "/bin/sh", args: ["-c", command], cwd: folder, environment };
  return runCommand(build, { title: command, whenMissing, ...shell });
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

/**
 * Creates a `node_modules` with links to the packages of another one. It is a separate folder, so that a build or a
 * server can write there. Links, as of workspaces and pnpm, are copied: they point to the repository's own files.
 */
async function linkModules(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const source = join(from, entry.name);
      const target = join(to, entry.name);
      if (entry.isSymbolicLink()) await cp(source, target, { verbatimSymlinks: true });
      else if (entry.name.startsWith("@")) await linkModules(source, target);
      else await symlink(source, target);
    }),
  );
}

/** Everything that the packages depend on. */
async function dependsOn(
  build: Build,
  { packageFolder, folder, command, isScripted }: InstallPlace,
) {
  const { revision, config } = build;
  const paths = [packageFolder, folder].map((at) => join(at, "package.json"));
  paths.push(...MANAGER_FILES.map((name) => join(folder, name)));
  const names = paths.map((path) => relative(config.root, path));
  const texts = await Promise.all(
    names.map((name) => readTextFile(config.root, name, { maxMib: MAX_LOCK_MIB })),
  );
  return {
    runtime: ["javascript", process.version, process.platform, process.arch],
    command: revision.sourceConfig.install_command ?? command,
    files: names.map((name, index) => [name, texts[index] ?? null]),
    commit: isScripted ? gitSourceOf(revision).commit : null,
  };
}
