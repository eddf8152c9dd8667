import { readFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { pathOf, type GraphConfig } from "./checkout";
import { codeOf } from "./safe-path";
import type { Environment } from "./keeper/keeper";
import { StageFailure } from "../driver";

/**
 * The variables that a graph configuration brings: its own, or those of the file that it names. A file that is not there
 * brings none: such files hold secrets, so most are kept out of repositories.
 */
export async function configEnvironment(config: GraphConfig): Promise<Environment> {
  const { env } = config;
  if (typeof env !== "string") return env;
  const named = `"env": "${env}" of the graph configuration`;
  const outside = `${named} lies outside of the repository: name a file below its root`;
  try {
    return parseEnv(await readFile(await pathOf(config, env, outside), "utf8"));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return {};
    if (error instanceof StageFailure) throw error;
    throw new StageFailure(`can't read ${named}: ${codeOf(error)}`);
  }
}
