import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StageFailure, type Revision } from "../../../../../local/drivers/driver";
import type { Keeper } from "../../../../../local/drivers/process/keeper/keeper";
import type { OutputLog } from "../../../../../local/drivers/process/servers/output";
import {
  startServer,
  type Launcher,
  type Server,
} from "../../../../../local/drivers/process/servers/server";

/**
 * A small agent server that holds its threads in memory, as the real ones do: it reads `STATE` at its start and writes it
 * at TERM, when the last request has ended. `POST /threads` creates a thread, `GET /threads` gives all; `/held` is
 * answered at `/release`, `/stream` never ends, `/write` writes at once, `/crash` ends it unwritten, with 5. Any other
 * path gives its revision and process. What it does else is its MODE.
 */
const SCRIPT = `
const fs = require("node:fs");
const { MODE = "", REVISION, STATE, GATE } = process.env;
const file = STATE + "/threads.json";
const say = (event) => console.log(JSON.stringify(event));
const threads = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : [];
console.log("read " + threads.length);
if (MODE === "records") {
  say({ level: "error", event: "run failed", exception: "Traceback\\nValueError: out of order" });
  process.exit(4);
}
if (MODE === "dies" || (MODE === "dies on threads" && threads.length > 0)) {
  console.error("import error: no module named x");
  process.exit(4);
}
const write = () => { if (STATE) { fs.mkdirSync(STATE, { recursive: true }); fs.writeFileSync(file, JSON.stringify(threads)); } };
const held = [];
const server = require("node:http").createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://x");
  const answer = (value) => response.end(JSON.stringify(value));
  if (pathname === "/ok" && MODE === "silent") return;
  if (pathname === "/ok" && MODE === "sick") response.writeHead(500).end();
  else if (pathname === "/ok" && MODE === "locked") response.writeHead(401).end();
  else if (pathname === "/crash") { console.error("crashed at last"); process.exit(5); }
  else if (pathname === "/stream") response.write("data: one\\n\\n");
  else if (pathname === "/held") held.push(() => answer({ revision: REVISION, pid: process.pid }));
  else if (pathname === "/release") answer(held.splice(0).forEach((release) => release()));
  else if (pathname === "/write") answer(write());
  else if (request.method === "POST") answer(threads[threads.push({ id: threads.length, by: REVISION }) - 1]);
  else answer(pathname === "/threads" ? threads : { revision: REVISION, pid: process.pid });
});
const onGate = (act) => {
  const look = setInterval(() => fs.existsSync(GATE) && (clearInterval(look), act()), 10);
};
server.listen(0, "127.0.0.1", () => {
  const announce = () => say({ event: "listening", port: server.address().port });
  if (MODE === "starts late" || (MODE === "starts late on threads" && threads.length > 0)) onGate(announce);
  else if (MODE !== "mute") announce();
});
const end = () => server.close(() => { write(); process.exit(0); });
process.once("SIGTERM", () => {
  console.log("asked to end");
  if (MODE === "ends late") onGate(end);
  else if (MODE !== "stays") end();
});`;

/** Its difference, always or when there are threads to read; one that is late waits for the file GATE. */
export type Mode = `${"dies" | "starts late"}${"" | " on threads"}` | (typeof MODES)[number];
const MODES = ["", "ends late", "locked", "mute", "records", "sick", "silent", "stays"] as const;

/** Options of one server: `log` takes its lines; without `dataDir` it keeps no threads. */
export interface ScriptedStart {
  readonly keeper: Keeper;
  readonly revisionId: string;
  readonly dataDir?: string;
  readonly mode?: Mode | undefined;
  readonly signal?: AbortSignal;
  readonly limitSeconds?: number;
  readonly log?: OutputLog;
}

export function startScripted(start: ScriptedStart): Promise<Server> {
  const { keeper, revisionId: id, dataDir, mode = "", log, limitSeconds = 600 } = start;
  const { signal = new AbortController().signal } = start;
  const files = dataDir && { STATE: stateFolderOf(dataDir, id), GATE: gateOf(dataDir, id) };
  const environment = { PATH: process.env["PATH"], MODE: mode, REVISION: id, ...files };
  const command = { file: process.execPath, args: ["-e", SCRIPT], cwd: "/", environment };
  return startServer({ keeper, limitSeconds, signal, command, ...(log && { log }) });
}

interface ScriptedParts {
  readonly keeper: Keeper;
  /** Holds what there is of a revision in a folder of its name. */
  readonly dataDir: string;
  /** By revision. */
  readonly modes?: Readonly<Record<string, Mode>>;
  /** By revision, where not `memory`; null for a server that keeps no folder of its own, `gone` without files. */
  readonly formats?: Readonly<Record<string, string | null>>;
  /** Takes every crash, and every line that a server prints which is started outside of a deploy. */
  readonly write?: (revision: Revision, line: string) => void;
}

/** Starts servers that hold their threads in memory. */
export function scriptedLauncher(parts: ScriptedParts): Launcher {
  const { keeper, dataDir, modes = {}, formats = {}, write = () => {} } = parts;
  return {
    log: write,
    start: (revision, signal, log = (line) => write(revision, line)) => {
      const { id: revisionId } = revision;
      return startScripted({ keeper, dataDir, revisionId, mode: modes[revisionId], signal, log });
    },
    stateFolder: async ({ id }) => {
      const format = formats[id];
      if (format === "gone") throw new StageFailure("the checkout is missing");
      if (format === null) return undefined;
      return { path: stateFolderOf(dataDir, id), format: format ?? "memory" };
    },
  };
}

export const stateFolderOf = (dataDir: string, revisionId: string): string =>
  join(dataDir, revisionId, "state");

/** Lets a server be done that is late. */
export async function openGate(dataDir: string, revisionId: string): Promise<void> {
  await writeFile(gateOf(dataDir, revisionId), "");
}

const gateOf = (dataDir: string, revisionId: string): string => join(dataDir, `${revisionId}.gate`);

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
