import { readFile, realpath } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { z } from "zod";
import { StageFailure } from "../driver";
import { codeOf, pathInside } from "./safe-path";

/** The graph configuration of a checkout. */
export interface GraphConfig {
  /** The checkout's real path. */
  readonly root: string;
  /** The folder that it lies in: its paths start there, and the service runs `build_command` there. */
  readonly folder: string;
  /** Where each graph is, by its name: `<path>:<export>`. */
  readonly graphs: Readonly<Record<string, string>>;
  /** What Python graphs need: requirements, and folders that begin with a dot. */
  readonly dependencies: readonly string[];
  /** The Python that they ask for, for example `3.12`. */
  readonly pythonVersion: string | undefined;
  /** Variables of the server, or the path of a file that holds them; those of the deployment come first. */
  readonly env: string | Readonly<Record<string, string>>;
  /** All of the file, for the servers that read it themselves. */
  readonly content: Readonly<Record<string, unknown>>;
}

/** `"agent": "./agent.py:graph"`, or an object that says the same under `path`. */
const GraphPath = z.string().regex(/.:./, 'must be "<path>:<export>"');
const Graph = z
  .union([GraphPath, z.looseObject({ path: GraphPath })], { error: 'must be "<path>:<export>"' })
  .transform((graph) => (typeof graph === "string" ? graph : graph.path));
const GraphConfigFile = z.looseObject({
  graphs: z.record(z.string().min(1), Graph),
  dependencies: z.array(z.string().min(1)).default([]),
  python_version: z
    .string()
    .regex(/^\d+\.\d+$/, 'must be like "3.12"')
    .optional(),
  env: z.union([z.string(), z.record(z.string(), z.string())]).default({}),
});

/** Reads the graph configuration of a checkout; a `StageFailure` says what is wrong with it, and what to do. */
export async function readGraphConfig(checkout: string, path: string): Promise<GraphConfig> {
  const file = await locate(checkout, path);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new StageFailure(`can't read the graph configuration '${path}': ${codeOf(error)}`);
  });
  const json = parseJson(text, path);
  const parsed = GraphConfigFile.safeParse(json);
  if (!parsed.success) {
    throw new StageFailure(
      `the graph configuration '${path}' is not valid: ${z.prettifyError(parsed.error)}`,
    );
  }
  const { graphs, dependencies, python_version: pythonVersion, env } = parsed.data;
  if (Object.keys(graphs).length === 0) {
    throw new StageFailure(
      `the graph configuration '${path}' names no graph: add one to "graphs", such as "agent": "./agent.py:graph"`,
    );
  }
  const content = z.looseObject({}).parse(json);
  const root = await realpath(checkout);
  return { root, folder: dirname(file), graphs, dependencies, pythonVersion, env, content };
}

/** The real path of what a graph configuration names; a `StageFailure` of those words when it lies outside of the repository. */
export async function pathOf(
  { root, folder }: Pick<GraphConfig, "root" | "folder">,
  path: string,
  outside: string,
): Promise<string> {
  return pathInside(root, relative(root, resolve(folder, path)), outside);
}

async function locate(checkout: string, path: string): Promise<string> {
  const outside = `the graph configuration '${path}' lies outside of the repository: set graph_config_path to a path below its root, such as langgraph.json`;
  return pathInside(checkout, path, outside).catch((error: unknown) => {
    if (error instanceof StageFailure) throw error;
    throw new StageFailure(
      `the graph configuration '${path}' is not in the repository: add it, or set graph_config_path to where it is (${codeOf(error)})`,
    );
  });
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new StageFailure(`the graph configuration '${path}' is not valid JSON: ${codeOf(error)}`, {
      cause: error,
    });
  }
}
