import { writeFile } from "node:fs/promises";
import type { Environment } from "../keeper/keeper";
import { startServer, type Announcement, type Server } from "../servers/server";
import type { GraphStart } from "../graph-start";
import { activated, pythonOf } from "./tools";
import { isFree, takePort } from "./port";

/** Options of the start of a Python server. */
export interface PythonStart extends GraphStart {
  readonly venv: string;
  /** The path of the graph configuration to write for the server. */
  readonly serverConfig: string;
  /** @default a free port */
  readonly choosePort?: () => Promise<number>;
}

/** Default variables of the server: no telemetry, a log without colours and buffering. */
export const PYTHON_DEFAULTS: Environment = {
  LANGGRAPH_CLI_NO_ANALYTICS: "1",
  LANGGRAPH_NO_VERSION_CHECK: "true",
  LANGSMITH_TRACING: "false",
  LOG_COLOR: "false",
  PYTHONUNBUFFERED: "1",
};

const ATTEMPTS = 3;

/**
 * Starts the real Python server in the folder of the graph configuration. If its port is in use, the server moves to
 * another one or, at the last moment, exits; in both cases it is started again on a new port, at most three times.
 */
export async function startPython(start: PythonStart): Promise<Server> {
  const { config, serverConfig, signal, log, choosePort = takePort } = start;
  // The server would let the configuration's variables override those of its environment, and refuse Node beside Python.
  const { node_version: _, ...content } = config.content;
  await writeFile(serverConfig, JSON.stringify({ ...content, env: {} }));
  for (let attempt = 1; ; attempt += 1) {
    const port = await choosePort();
    const command = commandOn(port, start);
    let hasMoved = false; // its port may be free again by then
    const parseOn = (line: string) => {
      const announcement = parseReadiness(line, port);
      hasMoved ||= announcement?.event === "failed";
      return announcement;
    };
    try {
      return await startServer({ ...start, command, parseReadiness: parseOn });
    } catch (error) {
      if (signal.aborted || attempt === ATTEMPTS) throw error;
      if (!hasMoved && (await isFree(port))) throw error;
      log(`port ${port} is in use; trying another one`);
    }
  }
}

function commandOn(port: number, { config, venv, serverConfig, environment, log }: PythonStart) {
  const where = ["--host", "127.0.0.1", "--port", String(port), "--config", serverConfig];
  const how = ["--no-browser", "--no-reload", "--n-jobs-per-worker", "10"];
  // As with the public tool's own program, no module of the repository takes the place of one of Python's (`-P`).
  return {
    file: pythonOf(venv),
    args: ["-P", "-m", "langgraph_cli", "dev", ...how, ...where],
    cwd: config.folder,
    environment: activated(environment, venv),
    onLine: log,
  };
}

/** The server's announcement: `- 🚀 API: http://127.0.0.1:2024`. */
const ADDRESS = /\bAPI: http:\/\/127\.0\.0\.1:(\d+)/;

function parseReadiness(line: string, requested: number): Announcement | undefined {
  const port = Number(ADDRESS.exec(line)?.[1]);
  if (Number.isNaN(port)) return undefined;
  if (port === requested) return { event: "listening", port };
  return {
    event: "failed",
    message: `port ${requested} is in use, and the server moved to port ${port}`,
  };
}
