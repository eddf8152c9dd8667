import { z } from "zod";
import type { Build } from "./build-options";
import { inRepository, type GraphConfig } from "./checkout";
import { linesOf } from "./commands";
import { pythonOf } from "./python/tools";
import type { BuildRecordOf } from "./record";
import { findFile } from "./repository-file";
import type { Environment } from "./keeper/keeper";
import { StageFailure } from "../driver";

/** What reads a file of variables: the library that the public tool reads it with, of the server's own packages. */
export interface VariablesReader extends Pick<Build, "keeper" | "signal"> {
  readonly record: BuildRecordOf<"python" | "javascript">;
  /** Of the server, without these variables: values may refer to it. */
  readonly environment: Environment;
}

/**
 * The variables of a graph configuration's `env`: its own, or those of the file that it names. A file that does not
 * exist is not an error: such files hold secrets, so most repositories ignore them.
 */
export async function configEnvironment(
  config: GraphConfig,
  reader: VariablesReader,
): Promise<Environment> {
  const { env } = config;
  if (typeof env !== "string") return textsOf(env, reader);
  if (isOutside(config, env)) return {};
  const named = `"env": "${env}" in the graph configuration`;
  const file = await findFile(config.root, inRepository(config, env), { named });
  return file === undefined ? {} : readVariables(file, named, reader);
}

/** Whether a path of `env` is outside the repository: a file there is not part of it. */
export function isOutside(config: GraphConfig, env: string): boolean {
  return inRepository(config, env).startsWith("..");
}

/** As the public tools write numbers and booleans. */
function textsOf(env: Exclude<GraphConfig["env"], string>, { record }: VariablesReader) {
  const texts = Object.entries(env).map(([name, value]) => {
    if (typeof value !== "boolean" || record.runtime !== "python") return [name, String(value)];
    return [name, value ? "True" : "False"];
  });
  return Object.fromEntries(texts);
}

const PYTHON = `import json, sys
from dotenv.main import DotEnv
values = DotEnv(sys.argv[1], encoding="utf-8-sig").dict()
print(json.dumps({name: value for name, value in values.items() if value is not None}))`;
const JAVASCRIPT = `const load = require("node:module").createRequire(process.argv[1]);
const text = require("node:fs").readFileSync(process.argv[2], "utf8");
console.log(JSON.stringify(load("dotenv").parse(text)));`;
const Variables = z.record(z.string(), z.string());

async function readVariables(path: string, named: string, { record, ...reader }: VariablesReader) {
  const command =
    record.runtime === "python"
      ? { file: pythonOf(record.venv), args: ["-c", PYTHON, path] }
      : { file: process.execPath, args: ["-e", JAVASCRIPT, record.server, path] };
  const lines = await linesOf(reader, command);
  if (!lines)
    throw new StageFailure(`cannot read ${named}; save it as UTF-8, one NAME=value a line`);
  return Variables.parse(JSON.parse(lines.join("")));
}
