import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Environment } from "../keeper/keeper";
import { startServer, type Server } from "../servers/server";
import { StageFailure } from "../../driver";
import type { GraphStart } from "../graph-start";
import { resolveServer, SERVER_PACKAGE } from "./package";
import type { ServeSettings } from "./serve";

/**
 * Default variables of the server. At its own log level it prints two lines for each request, and warnings about
 * packages whose version it can't read, as Node imports no JSON.
 */
export const JAVASCRIPT_DEFAULTS: Environment = { LOG_LEVEL: "error" };

const TYPESCRIPT = /\.[cm]?tsx?:/;

/** Starts the real JavaScript server of a checkout on a free port. */
export async function startJavaScript(start: GraphStart): Promise<Server> {
  const { config, environment } = start;
  const { folder, graphs, content } = config;
  const server = resolveServer(folder);
  if (server === undefined)
    throw new StageFailure(`${SERVER_PACKAGE} is missing from node_modules; create a new revision`);
  const { auth, http } = content;
  const settings: ServeSettings = { server, folder, graphs, auth, http };
  const isTypeScript = TYPESCRIPT.test(JSON.stringify([graphs, auth, http]));
  const script = [join(__dirname, "serve.js"), JSON.stringify(settings)];
  const args = [...(isTypeScript ? loader(server) : []), ...script];
  const command = { file: process.execPath, args, cwd: folder, environment };
  return startServer({ ...start, command });
}

/** Loads TypeScript with a dependency of the server. It takes a second, so it is used for TypeScript only. */
function loader(server: string): string[] {
  return ["--import", pathToFileURL(createRequire(server).resolve("tsx")).href];
}
