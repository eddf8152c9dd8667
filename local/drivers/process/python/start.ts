import { writeFile } from "node:fs/promises";
import type { GraphConfig } from "../checkout";
import type { Command, Environment } from "../keeper/keeper";
import type { BuildRecordOf } from "../record";
import { activated, pythonOf } from "./tools";

export interface PythonStart {
  readonly config: GraphConfig;
  readonly environment: Environment;
  readonly record: Pick<BuildRecordOf<"python">, "venv">;
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
 * `request.url` does not: its path is what the server and the middleware of apps compare, as with the public service.
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

/** The command of the real Python server, which runs in the folder of the graph configuration. */
export async function pythonCommand(start: PythonStart): Promise<Command> {
  const { config, environment, record, serverConfig, url } = start;
  // The server would let the configuration's variables override those of its environment, and refuse Node beside Python.
  const { node_version: _, source, ...content } = config.content;
  // A command line that a lock file has may be older than `source`, and refuses what has no dependencies. Of these it only
  // takes folders to import from: the one it runs in, which it has anyway.
  const packages = source === undefined ? {} : { dependencies: ["."] };
  await writeFile(serverConfig, JSON.stringify({ ...content, ...packages, env: {} }));
  const where = ["--host", "127.0.0.1", "--port", "0", "--config", serverConfig];
  // A deployment of the public service runs code that blocks its loop; the development server would refuse it.
  const how = ["--no-browser", "--no-reload", "--allow-blocking", "--n-jobs-per-worker", "10"];
  return {
    file: pythonOf(record.venv),
    // As with the public tool's own program, no module of the repository takes the place of one of Python's (`-P`).
    args: ["-P", "-c", COMMAND_LINE, url, "dev", ...how, ...where],
    cwd: config.folder,
    environment: activated(environment, record.venv),
  };
}
