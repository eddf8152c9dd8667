import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { GraphConfig } from "../checkout";
import type { Command, Environment } from "../keeper/keeper";
import { namedFiles } from "../named-paths";
import type { BuildRecordOf } from "../record";
import type { ServeSettings } from "./serve";

/**
 * Default variables of the server. At its own log level it prints two lines for each request, and warnings about
 * packages whose version it can't read, as Node imports no JSON.
 */
export const JAVASCRIPT_DEFAULTS: Environment = { LOG_LEVEL: "error" };

const TYPESCRIPT = /\.[cm]?tsx?$/;

/** The command of the real JavaScript server of a checkout. */
export function javaScriptCommand(
  config: GraphConfig,
  environment: Environment,
  { server, isOwn }: BuildRecordOf<"javascript">,
): Command {
  const { folder: cwd, graphs } = config;
  // Its variables are in the environment, which other users cannot read.
  const { env: _, ...content } = config.content;
  const settings: ServeSettings = { ...content, server, cwd, graphs };
  const isTypeScript =
    existsSync(join(cwd, "tsconfig.json")) ||
    namedFiles(config).some(({ path }) => TYPESCRIPT.test(path));
  const hooks = [
    // Loads TypeScript with a dependency of the server. It takes a second.
    ...(isTypeScript ? [createRequire(server).resolve("tsx")] : []),
    // Has a server of the platform's import the langgraph of the graphs. It takes 30 MB; the settings name the graphs.
    ...(isOwn ? [] : [join(dirname(server), "preload.mjs")]),
  ].flatMap((path) => ["--import", pathToFileURL(path).href]);
  const args = [...hooks, join(__dirname, "serve.js"), JSON.stringify(settings)];
  return { file: process.execPath, args, cwd, environment };
}
