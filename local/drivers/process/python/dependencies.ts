import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { pathOf, type GraphConfig } from "../checkout";
import { codeOf } from "../safe-path";
import { StageFailure } from "../../driver";

/** What the `dependencies` of a graph configuration come to. */
export interface Dependencies {
  /** As they are written: `langchain-openai>=1`. */
  readonly requirements: readonly string[];
  /** Paths of requirements files. */
  readonly requirementFiles: readonly string[];
  /** Folders that are packages to be installed themselves; other folders are only looked in for modules. */
  readonly packages: readonly string[];
  /** The content of every file that says what they need, by its path in the repository. */
  readonly files: readonly (readonly [path: string, text: string])[];
}

const REQUIREMENTS_FILE = "requirements.txt";
const PACKAGE_FILES = ["pyproject.toml", "setup.py"];
/** Neither pip nor uv's pip goes by them; a change of one says that something newer is wanted. */
const LOCK_FILES = ["uv.lock", "poetry.lock", "pdm.lock"];
const FILES = [REQUIREMENTS_FILE, ...PACKAGE_FILES, "setup.cfg", ...LOCK_FILES];

/** Reads them as the public service's builder does: what begins with a dot is a folder of the repository. */
export async function readDependencies(config: GraphConfig): Promise<Dependencies> {
  const isFolder = (dependency: string) => dependency.startsWith(".");
  const folders = await Promise.all(
    config.dependencies.filter(isFolder).map(async (dependency) => {
      const path = await locate(config, dependency);
      return { path, files: await readFiles(path) };
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
  const named = `the dependency '${dependency}' of the graph configuration`;
  const outside = `${named} lies outside of the repository: name a folder of it, or a package`;
  return pathOf(config, dependency, outside).catch((error: unknown) => {
    if (error instanceof StageFailure) throw error;
    throw new StageFailure(`${named} is not in the repository (${codeOf(error)}): add it`);
  });
}

async function readFiles(folder: string): Promise<[name: string, text: string][]> {
  const texts = FILES.map(async (name): Promise<[string, string][]> => {
    const text = await readFile(join(folder, name), "utf8").catch(() => undefined);
    return text === undefined ? [] : [[name, text]];
  });
  return (await Promise.all(texts)).flat();
}
