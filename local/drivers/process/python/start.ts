import { writeFile } from "node:fs/promises";
import type { Environment } from "../keeper/keeper";
import { startServer, type Server } from "../servers/server";
import type { GraphStart } from "../graph-start";
import type { OutputLog } from "../servers/output";
import { activated, pythonOf } from "./tools";

/** Options of the start of a Python server. */
export interface PythonStart extends GraphStart {
  readonly venv: string;
  /** The URL at which others reach the server. */
  readonly url: string;
  /** The path of the graph configuration to write for the server. */
  readonly serverConfig: string;
}

/** Default variables of the server: no telemetry, a log without colours and buffering. */
export const PYTHON_DEFAULTS: Environment = {
  LANGGRAPH_CLI_NO_ANALYTICS: "1",
  LANGGRAPH_NO_VERSION_CHECK: "true",
  LANGSMITH_TRACING: "false",
  LOG_COLOR: "false",
  PYTHONUNBUFFERED: "1",
};

/**
 * Runs the server's command line on a free port, which it announces. The server takes its own address for its URL, and
 * prints it in `/openapi.json`; apps are served below a path, which Starlette's `base_url` and `url_for` then have.
 */
const COMMAND_LINE = `import json, os, runpy, sys, urllib.parse, uvicorn
url = sys.argv.pop(1)
def create():
    from langgraph_api.server import app
    async def below_path(scope, receive, send):
        scope["app_root_path"] = urllib.parse.urlsplit(url).path
        await app(scope, receive, send)
    return below_path
def run(app, **options):
    os.environ["LANGGRAPH_API_URL"] = url
    config = uvicorn.Config(create, factory=True, **options)
    socket, server = config.bind_socket(), uvicorn.Server(config)
    print(json.dumps({"event": "listening", "port": socket.getsockname()[1]}), flush=True)
    server.run(sockets=[socket])
    sys.exit(0 if server.started else 3)
uvicorn.run = run
runpy.run_module("langgraph_cli", run_name="__main__", alter_sys=True)`;

/** The server's address as it prints it, before it has a port. */
const OWN_ADDRESS = "http://127.0.0.1:0";

/** Starts the real Python server in the folder of the graph configuration on a free port. */
export async function startPython(start: PythonStart): Promise<Server> {
  const { config, environment, venv, serverConfig, url, log } = start;
  // The server would let the configuration's variables override those of its environment, and refuse Node beside Python.
  const { node_version: _, ...content } = config.content;
  await writeFile(serverConfig, JSON.stringify({ ...content, env: {} }));
  const where = ["--host", "127.0.0.1", "--port", "0", "--config", serverConfig];
  const how = ["--no-browser", "--no-reload", "--n-jobs-per-worker", "10"];
  const command = {
    file: pythonOf(venv),
    // No module of the repository takes the place of one of Python's (`-P`), as with the public tool's own program.
    args: ["-P", "-c", COMMAND_LINE, url, "dev", ...how, ...where],
    cwd: config.folder,
    environment: activated(environment, venv),
  };
  const logAsSeen: OutputLog = (text, level) => log(text.replaceAll(OWN_ADDRESS, url), level);
  return startServer({ ...start, log: logAsSeen, command });
}
