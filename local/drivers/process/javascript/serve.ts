import { readFile, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { recordOf } from "../../../../shared/records";

/** The argument of a JavaScript server's process; nothing in it is secret. */
export interface ServeSettings {
  /** The file of `@langchain/langgraph-api/server`. */
  readonly server: string;
  /** The folder of the graph configuration, where the server stores its threads too. */
  readonly cwd: string;
  /** `<path>:<export>` of each graph, by its name. */
  readonly graphs: Readonly<Record<string, string>>;
  /** All else of the graph configuration but its variables. */
  readonly [member: string]: unknown;
}

/** The part of the server's module that is used. */
interface ServerModule {
  startServer(
    this: void,
    options: object,
  ): Promise<{ host: string; cleanup(this: void): Promise<void> }>;
}

/**
 * The process of a real JavaScript server. Its one argument is `ServeSettings` as JSON. It prints one line of JSON,
 * `{"event":"listening","port":N}`, or fails as Node does with an error that nobody catches: Node alone knows the file and
 * the line of a syntax error. By itself the server only logs a failure and keeps running without a port. TERM and INT end
 * it after its threads are written.
 */
async function main(): Promise<void> {
  // A platform that was killed reads no output: an error of it must not end the process while it writes its threads.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  try {
    const { server, ...settings }: ServeSettings = JSON.parse(process.argv[2] ?? "");
    await repeatRuns(settings.cwd);
    const { startServer }: ServerModule = await import(pathToFileURL(server).href);
    const options = { ...settings, port: 0, host: "127.0.0.1", nWorkers: 10 };
    const { host, cleanup } = await startServer(options).catch(async (error: unknown) => {
      await checkGraphs(settings); // the server does not name the graph that it can't load
      throw error;
    });
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.once(signal, () => void cleanup().finally(() => process.exit(0)));
    await checkGraphs(settings);
    const announcement = { event: "listening", port: Number(new URL(`http://${host}`).port) };
    process.stdout.write(`${JSON.stringify(announcement)}\n`);
  } catch (error) {
    process.removeAllListeners(); // the server's
    throw error;
  }
}

/**
 * Has the server repeat the runs that its end cut off, as the Python server does. By itself it takes them for running for
 * ever, and refuses other runs on their threads.
 */
async function repeatRuns(cwd: string): Promise<void> {
  const file = join(cwd, ".langgraph_api/.langgraphjs_ops.json");
  const read = readFile(file, "utf8").then((text): unknown => JSON.parse(text));
  // The server ignores a file that it cannot parse.
  const stored = recordOf(await read.catch(() => undefined));
  const runs = Object.values(recordOf(recordOf(stored["json"])["runs"])).map(recordOf);
  const running = runs.filter(({ status }) => status === "running");
  if (running.length === 0) return;
  for (const run of running) run["status"] = "pending";
  await writeFile(`${file}.new`, JSON.stringify(stored));
  await rename(`${file}.new`, file);
}

/** The server starts with any export and fails at the first use of one that is not a graph. */
async function checkGraphs({ cwd, graphs }: Pick<ServeSettings, "cwd" | "graphs">): Promise<void> {
  for (const [name, path] of Object.entries(graphs)) {
    const [file = "", symbol = "default"] = path.split(":", 2);
    const exported: Record<string, unknown> = await import(pathToFileURL(resolve(cwd, file)).href);
    const graph = await exported[symbol];
    if (typeof graph === "function" || isGraph(graph)) continue;
    throw new TypeError(
      `graph '${name}' cannot be used: export '${symbol}' of ${file} is not a graph`,
    );
  }
}

/** Before and after `compile()`, and as `createAgent` wraps it. */
function isGraph(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return ["compile", "getState", "graph"].some((member) => member in value);
}

void main();
