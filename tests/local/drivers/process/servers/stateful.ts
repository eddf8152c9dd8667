import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StageFailure, type Revision } from "../../../../../local/drivers/driver";
import type { Keeper } from "../../../../../local/drivers/process/keeper/keeper";
import { startServer, type Launcher } from "../../../../../local/drivers/process/servers/server";

/**
 * An agent server that holds its threads in memory, as the real ones do: it reads `STATE` at its start and writes it at
 * TERM, when the last request has ended. `POST /threads` creates a thread, `GET /threads` gives all; `/held` is
 * answered at `/release`, `/stream` never ends, `/write` writes at once, `/crash` ends it unwritten. What it does else is
 * its MODE.
 */
const SCRIPT = `
const fs = require("node:fs");
const { MODE = "", REVISION, STATE, GATE } = process.env;
const file = STATE + "/threads.json";
const say = (event) => console.log(JSON.stringify(event));
const threads = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : [];
console.log("read " + threads.length);
if (MODE === "dies" || (MODE === "dies on threads" && threads.length > 0)) {
  console.error("import error: no module named x");
  process.exit(4);
}
const write = () => { fs.mkdirSync(STATE, { recursive: true }); fs.writeFileSync(file, JSON.stringify(threads)); };
const held = [];
const server = require("node:http").createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://x");
  const answer = (value) => response.end(JSON.stringify(value));
  if (pathname === "/crash") process.exit(5);
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
  else announce();
});
const end = () => server.close(() => { write(); process.exit(0); });
process.once("SIGTERM", () => {
  console.log("asked to end");
  if (MODE === "ends late") onGate(end);
  else if (MODE !== "stays") end();
});`;

/** Its difference, always or when there are threads to read; one that is late waits for the file GATE. */
export type StatefulMode =
  | ""
  | "dies"
  | "dies on threads"
  | "starts late"
  | "starts late on threads"
  | "ends late"
  | "stays";

/** Options of such servers. */
export interface StatefulParts {
  readonly keeper: Keeper;
  /** Holds what there is of a revision in a folder of its name. */
  readonly dataDir: string;
  /** By revision. */
  readonly modes: Readonly<Record<string, StatefulMode>>;
  /** By revision, where not `memory`; null for a server that keeps no folder of its own, `gone` without files. */
  readonly formats?: Readonly<Record<string, string | null>>;
  /** Takes every line that a server prints which is started outside of a deploy. */
  readonly write: (revision: Revision, line: string) => void;
}

/** The file of a revision's threads. */
export function stateFolderOf(dataDir: string, revisionId: string): string {
  return join(dataDir, revisionId, "state");
}

/** Lets a server be done that is late. */
export async function openGate(dataDir: string, revisionId: string): Promise<void> {
  await writeFile(gateOf(dataDir, revisionId), "");
}

/** Starts servers that hold their threads in memory. */
export function statefulLauncher(parts: StatefulParts): Launcher {
  const { keeper, dataDir, modes, formats = {}, write } = parts;
  return {
    start: (revision, signal, log = (line) => write(revision, line)) => {
      const environment = {
        PATH: process.env["PATH"],
        MODE: modes[revision.id],
        REVISION: revision.id,
        STATE: stateFolderOf(dataDir, revision.id),
        GATE: gateOf(dataDir, revision.id),
      };
      const command = { file: process.execPath, args: ["-e", SCRIPT], cwd: "/", environment };
      return startServer({
        keeper,
        signal,
        limitSeconds: 600,
        command,
        log,
      });
    },
    stateFolder: async ({ id }) => {
      const format = formats[id];
      if (format === "gone") throw new StageFailure("the checkout is missing");
      if (format === null) return undefined;
      return { path: stateFolderOf(dataDir, id), format: format ?? "memory" };
    },
  };
}

function gateOf(dataDir: string, revisionId: string): string {
  return join(dataDir, `${revisionId}.gate`);
}
