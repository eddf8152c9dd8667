import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { messageOf } from "../../../../shared/errors";

/** What a JavaScript server's process is told; nothing of it is secret. */
export interface ServeSettings {
  /** The file that the repository's `@langchain/langgraph-api/server` is. */
  readonly server: string;
  /** The graph configuration's folder, in which the server keeps its threads too. */
  readonly folder: string;
  /** `<path>:<export>` of each graph, by its name. */
  readonly graphs: Readonly<Record<string, string>>;
  /** `auth` and `http` of the graph configuration. */
  readonly auth: unknown;
  readonly http: unknown;
}

/** What is used of the server's module. */
interface ServerModule {
  startServer(this: void, options: object): Promise<StartedServer>;
}
interface StartedServer {
  readonly host: string;
  readonly cleanup: () => Promise<void>;
}

/**
 * The process of a real JavaScript server. Its one argument is `ServeSettings` as JSON; it says on stdout, in one line of
 * JSON, `{"event":"listening","port":N}`, or `{"event":"failed","message":"…"}` and exits with 1: by itself the server
 * only logs a failure, and stays alive without a port. TERM and INT end it once its threads are written.
 */
async function main(): Promise<void> {
  try {
    const { server, ...settings }: ServeSettings = JSON.parse(process.argv[2] ?? "");
    const { startServer }: ServerModule = await import(pathToFileURL(server).href);
    const { folder: cwd, graphs, auth, http } = settings;
    const options = { port: 0, host: "127.0.0.1", nWorkers: 10, cwd, graphs, auth, http };
    const { host, cleanup } = await startServer(options);
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.once(signal, () => void cleanup().finally(() => process.exit(0)));
    for (const name of Object.keys(graphs)) await checkGraph(settings, name);
    tell({ event: "listening", port: Number(new URL(`http://${host}`).port) });
  } catch (error) {
    process.stderr.write(`${inspect(error)}\n`);
    tell({ event: "failed", message: messageOf(error) });
    process.exit(1);
  }
}

/** The server starts with any export, and fails at the first use of one that is no graph. The module is loaded already. */
async function checkGraph(
  { folder, graphs }: Pick<ServeSettings, "folder" | "graphs">,
  name: string,
): Promise<void> {
  const [file = "", symbol = "default"] = graphs[name]?.split(":", 2) ?? [];
  const exported: Record<string, unknown> = await import(pathToFileURL(resolve(folder, file)).href);
  const graph = await exported[symbol];
  if (typeof graph === "function" || isGraph(graph)) return;
  throw new TypeError(
    `the graph '${name}' can't be used: the export '${symbol}' of ${file} is not a graph`,
  );
}

/** Before and after `compile()`, and as `createAgent` wraps it. */
function isGraph(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return ["compile", "getState", "graph"].some((member) => member in value);
}

function tell(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

void main();
