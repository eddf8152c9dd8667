import { readFile, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, sep } from "node:path";
import { z } from "zod";
import { StageFailure } from "./drivers/driver";

/** The graph configuration of a checkout. */
export interface GraphConfig {
  /** Names of its graphs. */
  readonly graphs: readonly string[];
  /** The folder that it lies in: the service runs `build_command` there. */
  readonly folder: string;
}

/** `"agent": "./agent.py:graph"`, or an object that says the same under `path`. */
const GraphPath = z.string().regex(/.:./, 'must be "<path>:<export>"');
const GraphConfigFile = z.looseObject({
  graphs: z.record(
    z.string().min(1),
    z.union([GraphPath, z.looseObject({ path: GraphPath })], {
      error: 'must be "<path>:<export>"',
    }),
  ),
});

/** Reads the graph configuration of a checkout; a `StageFailure` says what is wrong with it, and what to do. */
export async function readGraphConfig(checkout: string, path: string): Promise<GraphConfig> {
  const file = await locate(checkout, path);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new StageFailure(`can't read the graph configuration '${path}': ${wordsOf(error)}`);
  });
  const parsed = GraphConfigFile.safeParse(parseJson(text, path));
  if (!parsed.success) {
    throw new StageFailure(
      `the graph configuration '${path}' is not valid: ${z.prettifyError(parsed.error)}`,
    );
  }
  const graphs = Object.keys(parsed.data.graphs);
  if (graphs.length === 0) {
    throw new StageFailure(
      `the graph configuration '${path}' names no graph: add one to "graphs", such as "agent": "./agent.py:graph"`,
    );
  }
  return { graphs, folder: dirname(file) };
}

/** The file's real path, which must lie inside the checkout: a link may not lead out. */
async function locate(checkout: string, path: string): Promise<string> {
  const root = await realpath(checkout).catch((error: unknown) => {
    throw new StageFailure(`the checkout is gone (${wordsOf(error)}): make a new revision`);
  });
  const outside = `the graph configuration '${path}' lies outside of the repository: set graph_config_path to a path below its root, such as langgraph.json`;
  if (isAbsolute(path) || !join(root, path).startsWith(root + sep)) throw new StageFailure(outside);
  const file = await realpath(join(root, path)).catch((error: unknown) => {
    throw new StageFailure(
      `the graph configuration '${path}' is not in the repository: add it, or set graph_config_path to where it is (${wordsOf(error)})`,
    );
  });
  if (!file.startsWith(root + sep)) throw new StageFailure(outside);
  return file;
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new StageFailure(`the graph configuration '${path}' is no JSON: ${wordsOf(error)}`, {
      cause: error,
    });
  }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
