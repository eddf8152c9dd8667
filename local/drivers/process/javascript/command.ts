import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { GraphConfig } from "../../../checkout";
import { StageFailure } from "../../driver";
import { resolveServer, SERVER_PACKAGE } from "./package";
import type { ServeSettings } from "./serve";

const TYPESCRIPT = /\.[cm]?tsx?:/;

/** The command that runs the graphs of a checkout on the server that its packages bring. */
export function javaScriptCommand({ folder, graphs, content }: GraphConfig) {
  const server = resolveServer(folder);
  if (server === undefined)
    throw new StageFailure(`${SERVER_PACKAGE} is gone from node_modules: make a new revision`);
  const { auth, http } = content;
  const settings: ServeSettings = { server, folder, graphs, auth, http };
  const isTypeScript = TYPESCRIPT.test(JSON.stringify([graphs, auth, http]));
  const script = [join(__dirname, "serve.js"), JSON.stringify(settings)];
  return { file: process.execPath, args: [...(isTypeScript ? loader(server) : []), ...script] };
}

/** The server's own dependency that reads TypeScript; it takes a second, so only where there is some. */
function loader(server: string): string[] {
  return ["--import", pathToFileURL(createRequire(server).resolve("tsx")).href];
}
