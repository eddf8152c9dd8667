import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readGraphConfig } from "../../checkout";
import type { Environment, Keeper } from "../../keeper";
import type { Launcher } from "../../servers/launcher";
import { startServer, type Server, type ServerStart } from "../../servers/server";
import type { Revision } from "../driver";
import { configEnvironment } from "./config-environment";
import { serverEnvironment } from "./environment";
import type { Folders } from "./folders";
import { javaScriptCommand } from "./javascript/command";
import { readRecord } from "./record";
import { serverSettings } from "./settings";
import { graphConfigPath } from "./source";

/** What it takes to start the servers of revisions. */
export interface LaunchParts {
  readonly keeper: Keeper;
  readonly folders: Folders;
  /** The platform's own environment. */
  readonly environment: Environment;
  /** The script of the built-in agent server's process. */
  readonly serverScript: string;
  /** Takes what a server prints that is started outside of a deploy. */
  readonly serverLog: (revision: Revision, line: string) => void;
}

/** A start under way. */
interface Start extends LaunchParts, Pick<ServerStart, "signal" | "limitSeconds"> {
  readonly revision: Revision;
  readonly log: (line: string) => void;
}

const START_LIMIT_SECONDS = 60;
/** Where both real servers keep their threads, in the folder of the graph configuration. */
const STATE_FOLDER = ".langgraph_api";

/** Starts the server that the build of a revision has chosen. */
export function makeLauncher(parts: LaunchParts): Launcher {
  const { folders, serverLog } = parts;
  return {
    async start(revision, signal, log = (line) => serverLog(revision, line)) {
      const record = await readRecord(folders.record(revision));
      const start = { ...parts, revision, signal, log, limitSeconds: START_LIMIT_SECONDS };
      if (record.runtime === "javascript") return startJavaScript(start);
      return startBuiltIn(start);
    },
    async stateFolder(revision) {
      const { runtime } = await readRecord(folders.record(revision));
      if (runtime === "built-in") return undefined;
      const { folder } = await configOf(folders, revision);
      return { path: join(folder, STATE_FOLDER), format: runtime };
    },
  };
}

async function startBuiltIn(start: Start): Promise<Server> {
  const { revision, folders, serverScript, environment, log: onLine } = start;
  const cwd = folders.deployment(revision.deploymentId);
  await mkdir(cwd, { recursive: true, mode: 0o700 });
  const settings = await serverSettings(folders, revision);
  const command = {
    file: process.execPath,
    args: [serverScript, JSON.stringify(settings)],
    cwd,
    environment: serverEnvironment(environment, revision),
    onLine,
  };
  return startServer({ ...start, command });
}

async function startJavaScript(start: Start): Promise<Server> {
  const { revision, folders, environment, log: onLine } = start;
  const config = await configOf(folders, revision);
  const command = {
    ...javaScriptCommand(config),
    cwd: config.folder,
    environment: serverEnvironment(environment, revision, await configEnvironment(config)),
    onLine,
  };
  return startServer({ ...start, command });
}

function configOf(folders: Folders, revision: Revision) {
  return readGraphConfig(folders.checkout(revision), graphConfigPath(revision));
}
