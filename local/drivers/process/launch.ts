import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { AgentServerSettings } from "../../agentserver/settings";
import type { BuildOptions } from "./build-options";
import { readGraphConfig, type GraphConfig } from "./checkout";
import type { Command, Environment } from "./keeper/keeper";
import type { OutputLog } from "./servers/output";
import { startServer, type Launcher } from "./servers/server";
import type { Revision } from "../driver";
import { configEnvironment } from "./config-environment";
import { serverEnvironment, variableNames } from "./environment";
import type { Folders } from "./folders";
import { JAVASCRIPT_DEFAULTS, javaScriptCommand } from "./javascript/start";
import { PYTHON_DEFAULTS, pythonCommand } from "./python/start";
import { readRecord } from "./record";
import { graphConfigPath, isFromGit } from "./source";

export interface LauncherOptions extends Pick<BuildOptions, "keeper" | "folders"> {
  /** The platform's. */
  readonly environment: Environment;
  readonly serverScript: string;
  readonly serverLog: (revision: Revision, ...output: Parameters<OutputLog>) => void;
}

const START_LIMIT_SECONDS = 120;
/** The folder in which both real servers store their threads, in that of the graph configuration. */
const STATE_FOLDER = ".langgraph_api";
/** A server's address as it prints it, before it has a port. */
const OWN_ADDRESS = "http://127.0.0.1:0";

/** Creates a launcher that starts the server that the build of a revision chose, on a free port. */
export function createLauncher(options: LauncherOptions): Launcher {
  const { keeper, folders, serverLog } = options;
  return {
    log: serverLog,
    async start(revision, signal, write = (...output) => serverLog(revision, ...output)) {
      const log: OutputLog = (text, level) =>
        write(text.replaceAll(OWN_ADDRESS, revision.url), level);
      const command = await commandOf(options, revision, signal);
      return startServer({ keeper, signal, log, limitSeconds: START_LIMIT_SECONDS, command });
    },
    async stateFolder(revision) {
      const { runtime } = await readRecord(folders.path(revision, "runtime.json"));
      if (runtime === "built-in") return undefined;
      const { folder } = await readConfig(folders, revision);
      return { path: join(folder, STATE_FOLDER), format: runtime };
    },
  };
}

async function commandOf(
  options: LauncherOptions,
  revision: Revision,
  signal: AbortSignal,
): Promise<Command> {
  const { keeper, folders, environment: platform } = options;
  const record = await readRecord(folders.path(revision, "runtime.json"));
  if (record.runtime === "built-in") return builtInCommand(options, revision);
  const config = await readConfig(folders, revision);
  const defaults = record.runtime === "python" ? PYTHON_DEFAULTS : JAVASCRIPT_DEFAULTS;
  const over = (configured: Environment) =>
    serverEnvironment(platform, revision, { ...defaults, ...configured });
  const reader = { keeper, signal, record, environment: over({}) };
  const environment = over(await configEnvironment(config, reader));
  if (record.runtime === "javascript") return javaScriptCommand(config, environment, record);
  const serverConfig = folders.path(revision, "langgraph.json");
  return pythonCommand({ config, environment, record, serverConfig, url: revision.url });
}

async function builtInCommand(options: LauncherOptions, revision: Revision): Promise<Command> {
  const { folders, serverScript } = options;
  const { deploymentId } = revision;
  const cwd = folders.deployment(deploymentId);
  await mkdir(cwd, { recursive: true, mode: 0o700 });
  const graphs = isFromGit(revision) ? (await readConfig(folders, revision)).graphs : {};
  // Every user of this machine can read them, so none is secret.
  const settings: AgentServerSettings = {
    database: folders.threads(deploymentId),
    port: 0,
    graphs: Object.keys(graphs),
    variables: variableNames(revision),
    revision: revision.id,
    commit: revision.sourceRevisionConfig.repo_commit_sha ?? null,
  };
  const environment = serverEnvironment(options.environment, revision);
  const args = [serverScript, JSON.stringify(settings)];
  return { file: process.execPath, args, cwd, environment };
}

function readConfig(folders: Folders, revision: Revision): Promise<GraphConfig> {
  return readGraphConfig(folders.path(revision, "checkout"), graphConfigPath(revision));
}
