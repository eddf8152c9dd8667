import type { Revision } from "../../../../../local/drivers/driver";
import type { Keeper } from "../../../../../local/drivers/process/keeper/keeper";
import type { OutputLog } from "../../../../../local/drivers/process/servers/output";
import { startServer, type Server } from "../../../../../local/drivers/process/servers/server";

/**
 * A small agent server: `GET /info` returns its revision and process, `/crash` ends it with 5, `/held` is answered at
 * `/release`, and its MODE is one of those below. TERM lets running requests finish.
 */
const SCRIPT = `
const http = require("node:http");
const { MODE = "", REVISION } = process.env;
const say = (event) => console.log(JSON.stringify(event));
if (MODE === "records") {
  console.log("a line that is not ours");
  console.log(JSON.stringify({ level: "error", event: "run failed", exception: "Traceback\\nValueError: out of order" }));
  process.exitCode = 4;
}
else if (MODE === "dies") { console.error("import error: no module named x"); process.exit(4); }
else {
  const held = [];
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://x");
    if (pathname === "/crash") { console.error("crashed at last"); process.exit(5); }
    if (pathname === "/ok" && MODE === "sick") return response.writeHead(500).end();
    if (pathname === "/ok" && MODE === "silent") return;
    if (pathname === "/ok" && MODE === "locked") return response.writeHead(401).end();
    const answer = () => response.end(JSON.stringify({ revision: REVISION, pid: process.pid }));
    if (pathname === "/held") return held.push(answer);
    if (pathname === "/release") held.splice(0).forEach((release) => release());
    answer();
  });
  server.listen(0, "127.0.0.1", () => {
    console.log("a line that is not ours");
    if (MODE !== "mute") say({ event: "listening", port: server.address().port });
  });
  process.once("SIGTERM", () => server.close(() => process.exit(0)));
}`;

/** Behaviour of a scripted server; \`\` is well. */
export type Mode = "" | "dies" | "sick" | "silent" | "locked" | "mute" | "records";

/** Options of one server: `log` takes its lines. */
export interface ScriptedStart {
  readonly keeper: Keeper;
  readonly revisionId: string;
  readonly mode?: Mode;
  readonly signal?: AbortSignal;
  readonly limitSeconds?: number;
  readonly log?: OutputLog;
}

/** Starts a scripted server. */
export function startScripted(start: ScriptedStart): Promise<Server> {
  const { keeper, revisionId, mode = "", log, limitSeconds = 600 } = start;
  return startServer({
    keeper,
    limitSeconds,
    signal: start.signal ?? new AbortController().signal,
    command: {
      file: process.execPath,
      args: ["-e", SCRIPT],
      cwd: "/",
      environment: { PATH: process.env["PATH"], MODE: mode, REVISION: revisionId },
    },
    ...(log && { log }),
  });
}

/** A revision of a deployment, as the control plane gives it to a driver. */
export function aRevision(
  id: string,
  deploymentId = "one",
  changes: Partial<Revision> = {},
): Revision {
  return {
    id,
    deploymentId,
    source: "external_container",
    url: `http://127.0.0.1:8123/agents/${deploymentId}`,
    sourceConfig: {},
    sourceRevisionConfig: { image_uri: "registry.example.com/agent:1" },
    secrets: [],
    ...changes,
  };
}
