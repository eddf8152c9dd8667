import { join } from "node:path";
import type { Environment } from "../keeper/keeper";
import { StageFailure } from "../../driver";
import type { Build } from "../build";
import { keyOf } from "../cache";
import type { BuildRecord } from "../record";
import { originOf } from "../source";
import { readDependencies } from "./dependencies";
import { makeOwn, makeShared, SERVER_PACKAGES, type PythonBuild } from "./environments";
import { activated, PIP, UV } from "./installer";
import { findPython, hasUv } from "./interpreter";

/**
 * Installs the server and the dependencies of a Python graph into a virtual environment, or takes the one that an earlier
 * build made from the same files; where the revision has something of its own, that lies in a thin one over it. The
 * environment that is returned is that of `build_command`.
 */
export async function installPython(
  build: Build,
): Promise<{ readonly record: BuildRecord; readonly environment: Environment }> {
  const { cache, folders, revision, log } = build;
  const all = await prepare(build);
  const key = keyOf(dependsOn(all));
  const entry = await cache.alone(key, build, async () => {
    const found = await cache.find(key);
    if (found) log("the packages are those of an earlier build from the same files");
    return found ?? cache.add(key, (folder) => makeShared(all, join(folder, "venv")));
  });
  const shared = join(entry, "venv");
  const hasOwn = all.dependencies.packages.length > 0 || revision.sourceConfig.install_command;
  const venv = hasOwn ? folders.venv(revision) : shared;
  if (hasOwn) await makeOwn(all, shared, venv);
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
      `${python.file} (Python ${python.version}) has no venv module: install it (python3-venv), or install uv`,
    );
  build.log(
    `${python.file} is Python ${python.version}, packages are installed by ${installer.name}`,
  );
  return { ...build, python, installer, dependencies: await readDependencies(build.config) };
}

/** Where a file's dependencies are not all in it: another file of the repository names them, or is one. */
const OPEN: readonly (readonly [name: RegExp, text: RegExp])[] = [
  [/\.txt$/, /^\s*[-./]/m],
  [/\bpyproject\.toml$/, /^\s*dynamic\s*=\s*\[[^\]]*dependencies|\{[^}]*\bpath\s*=|\bfile:/m],
  [/\bsetup\.cfg$/, /\bfile:/],
  [/\bsetup\.py$/, /(?:)/],
];

/** All that the shared environment depends on. */
function dependsOn({ python, installer, dependencies, revision }: PythonBuild) {
  const { requirements, files } = dependencies;
  const isOpen = files.some(([path, text]) =>
    OPEN.some(([name, reference]) => name.test(path) && reference.test(text)),
  );
  return {
    runtime: ["python", python.version, python.prefix, process.platform, process.arch],
    installer: installer.name,
    packages: [...SERVER_PACKAGES, ...requirements],
    files,
    commit: isOpen ? originOf(revision).commit : null,
  };
}
