import { readFile, realpath } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { z } from "zod";
import { messageOf } from "../../../shared/errors";
import { StageFailure } from "../driver";
import { findFile } from "./repository-file";

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
  const named = `graph configuration '${path}'`;
  const invalid = (why: string) => new StageFailure(`${named} ${why}`);
  const file = await findFile(checkout, path, { named });
  if (file === undefined) throw invalid("not found in the repository; add it, or set its path");
  const text = await readFile(file, "utf8");
  if (text.startsWith("\uFEFF"))
    throw invalid("begins with a byte order mark; save it as UTF-8 without one");
  let content: Record<string, unknown>;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw invalid(`is not valid JSON: ${messageOf(error)}`);
  }
  const parsed = GraphConfigFile.safeParse(content);
  if (!parsed.success) throw invalid(`is not valid: ${z.prettifyError(parsed.error)}`);
  const { graphs, python_version: version, env } = parsed.data;
  if (Object.keys(graphs).length === 0)
    throw invalid('has no graphs; add one to "graphs", such as "agent": "./agent.py:graph"');
  const root = await realpath(checkout);
  const pythonVersion = /^\d+\.\d+/.exec(version ?? "")?.[0]; // of `3.12-slim` too
  return { root, file, folder: dirname(file), graphs, pythonVersion, env, content };
}

/** A path of a graph configuration, or of files below it, as a path in the repository. */
export function inRepository(config: Pick<GraphConfig, "root" | "folder">, ...path: string[]) {
  return relative(config.root, resolve(config.folder, ...path));
}
