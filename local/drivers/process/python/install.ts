import { join } from "node:path";
import type { Environment } from "../keeper/keeper";
import { StageFailure } from "../../driver";
import type { Build } from "../build-options";
import { cacheKey } from "../cache";
import type { BuildRecord } from "../record";
import { gitSourceOf } from "../source";
import { readDependencies } from "./dependencies";
import {
  createRevisionVenv,
  createSharedVenv,
  SERVER_PACKAGES,
  type PythonBuild,
} from "./environments";
import { activated, PIP, UV } from "./installer";
import { findPython, hasUv } from "./interpreter";

/**
 * Installs the server and the dependencies of a Python graph into a virtual environment, or uses a cached one from the
 * same files. The revision's own packages are installed into an environment on top of it. `environment` is that of
 * `build_command`.
 */
export async function installPython(
  build: Build,
): Promise<{ readonly record: BuildRecord; readonly environment: Environment }> {
  const { cache, folders, revision, log } = build;
  const all = await prepare(build);
  const key = cacheKey(dependsOn(all));
  const entry = await cache.withLock(key, build, async () => {
    const found = await cache.find(key);
    if (found) log("using cached packages: an earlier build installed them from the same files");
    return found ?? cache.add(key, (folder) => createSharedVenv(all, join(folder, "venv")));
  });
  const shared = join(entry, "venv");
  const hasOwn = all.dependencies.packages.length > 0 || revision.sourceConfig.install_command;
  const venv = hasOwn ? folders.venv(revision) : shared;
  if (hasOwn) await createRevisionVenv(all, shared, venv);
  return {
    record: { runtime: "python", cache: key, venv },
    environment: activated(build.environment, venv),
  };
}

async function prepare(build: Build): Promise<PythonBuild> {
  const [python, isUvThere] = await Promise.all([findPython(build), hasUv(build)]);
  const installer = isUvThere ? UV : PIP;
  if (installer === PIP && !python.hasPip)
    throw new StageFailure(
      `${python.file} (Python ${python.version}) has no venv module; install it (python3-venv), or install uv`,
    );
  build.log(`using ${python.file} (Python ${python.version}) and ${installer.name}`);
  return { ...build, python, installer, dependencies: await readDependencies(build.config) };
}

/** Files that refer to other files of the repository for their dependencies, by a pattern in their text. */
const EXTERNAL_REFERENCES: readonly (readonly [name: RegExp, text: RegExp])[] = [
  [/\.txt$/, /^[ \t]*[-./]/m],
  [
    /\bpyproject\.toml$/,
    /^[ \t]*dynamic[ \t]*=[ \t]*\[[^[\]]*dependencies|\{[^{}]*\bpath[ \t]*=|\bfile:/m,
  ],
  [/\bsetup\.cfg$/, /\bfile:/],
  [/\bsetup\.py$/, /(?:)/],
];

/** Everything that the shared environment depends on. */
function dependsOn({ python, installer, dependencies, revision }: PythonBuild) {
  const { requirements, files } = dependencies;
  const refersToFiles = files.some(([path, text]) =>
    EXTERNAL_REFERENCES.some(([name, reference]) => name.test(path) && reference.test(text)),
  );
  return {
    runtime: ["python", python.version, python.prefix, process.platform, process.arch],
    installer: installer.name,
    packages: [...SERVER_PACKAGES, ...requirements],
    files,
    commit: refersToFiles ? gitSourceOf(revision).commit : null,
  };
}
