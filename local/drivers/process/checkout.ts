import { realpath } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { z } from "zod";
import { StageFailure } from "../driver";
import { readTextFile } from "./text-file";
import { codeOrMessage, resolveInside } from "./safe-path";

/** The graph configuration of a checkout. */
export interface GraphConfig {
  /** The real path of the checkout. */
  readonly root: string;
  /** The file, and its folder: its paths are relative to it, and the service runs `build_command` in it. */
  readonly file: string;
  readonly folder: string;
  /** Graphs by name: `<path>:<export>`. */
  readonly graphs: Readonly<Record<string, string>>;
  /** The required Python version, for example `3.12`. */
  readonly pythonVersion: string | undefined;
  /** Variables of the server, or the path of a file with them; the deployment's override them. */
  readonly env: string | Readonly<Record<string, string | number | boolean>>;
  /** The whole file, for servers and tools that read it themselves. */
  readonly content: Readonly<Record<string, unknown>>;
}

/** `"agent": "./agent.py:graph"`, or an object with that string as `path`. */
const GraphPath = z.string().regex(/.:./, 'must be "<path>:<export>"');
const Graph = z
  .union([GraphPath, z.looseObject({ path: GraphPath })], { error: 'must be "<path>:<export>"' })
  .transform((graph) => (typeof graph === "string" ? graph : graph.path));
/** A list of names, as an old desktop app wrote it, sets no variable. */
const Variables = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const NameList = z.array(z.string()).transform(() => ({}));
const GraphConfigFile = z.looseObject({
  graphs: z.record(z.string().min(1), Graph),
  python_version: z.string().optional(),
  env: z.union([z.string(), NameList, Variables]).default({}),
});

/** Reads the graph configuration of a checkout. Throws `StageFailure`. */
export async function readGraphConfig(checkout: string, path: string): Promise<GraphConfig> {
  const file = await locate(checkout, path);
  const named = `graph configuration '${path}'`;
  const text = await readTextFile(file, named).catch((error: unknown) => {
    if (error instanceof StageFailure) throw error;
    throw new StageFailure(`cannot read ${named}: ${codeOrMessage(error)}`);
  });
  const json = parseJson(text, path);
  const parsed = GraphConfigFile.safeParse(json);
  if (!parsed.success) {
    throw new StageFailure(
      `graph configuration '${path}' is not valid: ${z.prettifyError(parsed.error)}`,
    );
  }
  const { graphs, python_version: version, env } = parsed.data;
  if (Object.keys(graphs).length === 0) {
    throw new StageFailure(
      `graph configuration '${path}' has no graphs; add one to "graphs", such as "agent": "./agent.py:graph"`,
    );
  }
  const content = z.looseObject({}).parse(json);
  const root = await realpath(checkout);
  const pythonVersion = /^\d+\.\d+/.exec(version ?? "")?.[0]; // of `3.12-slim` too
  return { root, file, folder: dirname(file), graphs, pythonVersion, env, content };
}

/**
 * Resolves a path of a graph configuration to a real path. Throws `StageFailure` with `outside` outside the
 * repository.
 */
export async function resolveInRepository(
  { root, folder }: Pick<GraphConfig, "root" | "folder">,
  path: string,
  outside: string,
): Promise<string> {
  return resolveInside(root, relative(root, resolve(folder, path)), outside);
}

async function locate(checkout: string, path: string): Promise<string> {
  const outside = `graph configuration '${path}' is outside the repository; set a path inside it, such as langgraph.json`;
  return resolveInside(checkout, path, outside).catch((error: unknown) => {
    if (error instanceof StageFailure) throw error;
    throw new StageFailure(
      `graph configuration '${path}' not found in the repository (${codeOrMessage(error)}); add it, or set its path`,
    );
  });
}

function parseJson(text: string, path: string): unknown {
  if (text.startsWith("\uFEFF"))
    throw new StageFailure(
      `graph configuration '${path}' begins with a byte order mark; save it as UTF-8 without one`,
    );
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new StageFailure(
      `graph configuration '${path}' is not valid JSON: ${codeOrMessage(error)}`,
      {
        cause: error,
      },
    );
  }
}
