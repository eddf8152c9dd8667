import { join, relative } from "node:path";
import { resolveInRepository, type GraphConfig } from "../checkout";
import { MAX_LOCK_MIB, readTextFileIfThere } from "../text-file";
import { codeOrMessage } from "../safe-path";
import { StageFailure } from "../../driver";

/** The `dependencies` of a graph configuration, read. */
export interface Dependencies {
  /** For example `langchain-openai>=1`. */
  readonly requirements: readonly string[];
  /** Paths of requirements files. */
  readonly requirementFiles: readonly string[];
  /** Folders that are packages, to be installed; the server imports modules from other folders. */
  readonly packages: readonly string[];
  /** Every file that declares dependencies of a folder, by its path in the repository. */
  readonly files: readonly (readonly [path: string, text: string])[];
}

const REQUIREMENTS_FILE = "requirements.txt";
const PACKAGE_FILES = ["pyproject.toml", "setup.py"];
/** Neither pip nor `uv pip` reads them, but a change of one means that newer packages are wanted. */
const LOCK_FILES = ["uv.lock", "poetry.lock", "pdm.lock"];
const FILES = [REQUIREMENTS_FILE, ...PACKAGE_FILES, "setup.cfg", ...LOCK_FILES];

/** Reads them as the public service does: one that begins with a dot is a folder of the repository. */
export async function readDependencies(config: GraphConfig): Promise<Dependencies> {
  const isFolder = (dependency: string) => dependency.startsWith(".");
  const folders = await Promise.all(
    config.dependencies.filter(isFolder).map(async (dependency) => {
      const path = await locate(config, dependency);
      return { path, files: await readFiles(config.root, path) };
    }),
  );
  const has = (names: readonly string[]) =>
    folders.filter(({ files }) => files.some(([name]) => names.includes(name)));
  return {
    requirements: config.dependencies.filter((dependency) => !isFolder(dependency)),
    requirementFiles: has([REQUIREMENTS_FILE]).map(({ path }) => join(path, REQUIREMENTS_FILE)),
    packages: has(PACKAGE_FILES).map(({ path }) => path),
    files: folders.flatMap(({ path, files }) =>
      files.map(([name, text]) => [relative(config.root, join(path, name)), text] as const),
    ),
  };
}

async function locate(config: GraphConfig, dependency: string): Promise<string> {
  const named = `dependency '${dependency}' in the graph configuration`;
  const outside = `${named} is outside the repository; use a folder inside it or a package`;
  return resolveInRepository(config, dependency, outside).catch((error: unknown) => {
    if (error instanceof StageFailure) throw error;
    throw new StageFailure(
      `${named} not found in the repository (${codeOrMessage(error)}); add it`,
    );
  });
}

async function readFiles(root: string, folder: string): Promise<[name: string, text: string][]> {
  const texts = FILES.map(async (name): Promise<[string, string][]> => {
    const text = await readTextFileIfThere(root, relative(root, join(folder, name)), MAX_LOCK_MIB);
    return text === undefined ? [] : [[name, text]];
  });
  return (await Promise.all(texts)).flat();
}
