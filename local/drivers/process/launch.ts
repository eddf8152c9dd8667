import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readGraphConfig, type GraphConfig } from "./checkout";
import type { Environment, Keeper } from "./keeper/keeper";
import type { OutputLog } from "./servers/output";
import { startServer, type Launcher, type Server } from "./servers/server";
import type { Revision } from "../driver";
import { configEnvironment } from "./config-environment";
import { serverEnvironment } from "./environment";
import type { Folders } from "./folders";
import type { Start } from "./graph-start";
import { JAVASCRIPT_DEFAULTS, startJavaScript } from "./javascript/start";
import { PYTHON_DEFAULTS, startPython } from "./python/start";
import { readRecord } from "./record";
import { serverSettings } from "./settings";
import { graphConfigPath } from "./source";

/** Dependencies of the launcher. */
export interface LauncherOptions {
  readonly keeper: Keeper;
  readonly folders: Folders;
  /** The platform's environment. */
  readonly environment: Environment;
  /** The script of the built-in agent server. */
  readonly serverScript: string;
  /** Takes the output of a server that is started outside a deploy. */
  readonly serverLog: (revision: Revision, ...output: Parameters<OutputLog>) => void;
}

const START_LIMIT_SECONDS = 120;
const DEFAULTS = { javascript: JAVASCRIPT_DEFAULTS, python: PYTHON_DEFAULTS } as const;
/** The folder in which both real servers store their threads, in that of the graph configuration. */
const STATE_FOLDER = ".langgraph_api";

/** Creates a launcher that starts the server that the build of a revision chose. */
export function createLauncher(parts: LauncherOptions): Launcher {
  const { keeper, folders, serverLog } = parts;
  return {
    async start(revision, signal, log = (...output) => serverLog(revision, ...output)) {
      const start = { keeper, signal, log, limitSeconds: START_LIMIT_SECONDS };
      const record = await readRecord(folders.record(revision));
      if (record.runtime === "built-in") return startBuiltIn(parts, revision, start);
      const config = await readConfig(folders, revision);
      const over = (configured: Environment) =>
        serverEnvironment(parts.environment, revision, {
          ...DEFAULTS[record.runtime],
          ...configured,
        });
      const reader = { keeper, signal, record, environment: over({}) };
      const environment = over(await configEnvironment(config, reader));
      const graphs = { ...start, config, environment };
      if (record.runtime === "javascript")
        return startJavaScript({ ...graphs, server: record.server, isOwn: record.isOwn });
      const serverConfig = folders.serverConfig(revision);
      const { url } = revision;
      return startPython({ ...graphs, venv: record.venv, serverConfig, url });
    },
    async stateFolder(revision) {
      const { runtime } = await readRecord(folders.record(revision));
      if (runtime === "built-in") return undefined;
      const { folder } = await readConfig(folders, revision);
      return { path: join(folder, STATE_FOLDER), format: runtime };
    },
  };
}

async function startBuiltIn(
  parts: LauncherOptions,
  revision: Revision,
  start: Start,
): Promise<Server> {
  const { folders, serverScript, environment } = parts;
  const cwd = folders.deployment(revision.deploymentId);
  await mkdir(cwd, { recursive: true, mode: 0o700 });
  const settings = await serverSettings(folders, revision);
  const command = {
    file: process.execPath,
    args: [serverScript, JSON.stringify(settings)],
    cwd,
    environment: serverEnvironment(environment, revision),
  };
  return startServer({ ...start, command });
}

function readConfig(folders: Folders, revision: Revision): Promise<GraphConfig> {
  return readGraphConfig(folders.checkout(revision), graphConfigPath(revision));
}
