import { parseEnv } from "node:util";
import { resolveInRepository, type GraphConfig } from "./checkout";
import { readTextFile } from "./text-file";
import { codeOrMessage } from "./safe-path";
import type { Environment } from "./keeper/keeper";
import { StageFailure } from "../driver";

/**
 * The variables of a graph configuration's `env`: its own, or those of the file that it names. A file that does not
 * exist is not an error: such files hold secrets, so most repositories ignore them.
 */
export async function configEnvironment(config: GraphConfig): Promise<Environment> {
  const { env } = config;
  if (typeof env !== "string") return env;
  const named = `"env": "${env}" in the graph configuration`;
  const outside = `${named} is outside the repository; use a path inside it`;
  try {
    const path = await resolveInRepository(config, env, outside);
    return parseEnv(await readTextFile(path, named));
  } catch (error) {
    if (codeOrMessage(error) === "ENOENT") return {};
    if (error instanceof StageFailure) throw error;
    throw new StageFailure(`cannot read ${named}: ${codeOrMessage(error)}`);
  }
}
