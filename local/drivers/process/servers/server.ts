import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { requestHere } from "../../../../shared/request-here";
import { StageFailure, type DeployWork, type Revision } from "../../driver";
import { KILLED, type Command, type Exit, type Keeper } from "../keeper/keeper";
import { parseJson, readOutput, type OutputLog } from "./output";

/** An agent server's process that has answered. */
export interface Server {
  /** For example `http://127.0.0.1:40001`. */
  readonly origin: string;
  readonly processGroup?: number | undefined;
  readonly ended: Promise<Exit>;
  end(): Promise<Exit>;
}

/** The file in which a server that holds its threads in memory stores them between its runs. */
interface StateFolder {
  /** Read when the server starts, written when it ends; need not exist. */
  readonly path: string;
  /** Servers with the same format can read each other's folders; for example `python`. */
  readonly format: string;
}

/** Starts the servers of revisions. */
export interface Launcher {
  /** Takes what happens outside a deploy: after a restart, a stop or a crash. */
  log(revision: Revision, ...output: Parameters<OutputLog>): void;
  /** Resolves when the server answers; `log` takes its output for as long as it runs. */
  start(revision: Revision, signal: AbortSignal, log?: OutputLog): Promise<Server>;
  /**
   * The folder of this revision alone. Undefined for a server that shares the deployment's threads with other running
   * revisions, as the built-in one does.
   */
  stateFolder(revision: Revision): Promise<StateFolder | undefined>;
}

/** Starts a server. Ends it again if the signal was aborted meanwhile, as no caller is left to end it. */
export async function launch(
  launcher: Launcher,
  { revision, signal, log }: Pick<DeployWork, "revision" | "signal"> & { readonly log?: OutputLog },
): Promise<Server> {
  const server = await launcher.start(revision, signal, log);
  if (signal.aborted) await server.end();
  signal.throwIfAborted();
  return server;
}

/** The command of a server's process. */
export interface ServerStart {
  readonly keeper: Keeper;
  readonly command: Command;
  readonly log?: OutputLog;
  readonly signal: AbortSignal;
  readonly limitSeconds: number;
}

/** The line by which an agent server's process announces its port. */
const Announcement = z.object({
  event: z.literal("listening"),
  port: z.int().min(1).max(65_535),
});

const POLL_MS = 20;
const PROBES = ["/ok", "/info"];

/**
 * Starts a process and waits until it answers on the port that it announced. Throws `StageFailure` with its last
 * lines.
 */
export async function startServer(start: ServerStart): Promise<Server> {
  const { signal, limitSeconds } = start;
  signal.throwIfAborted();
  const limit = AbortSignal.timeout(limitSeconds * 1000);
  const { seen, exited, ...process } = observe(start);
  const waiting = AbortSignal.any([signal, limit, exited]);
  try {
    for (;;) {
      const { origin, exit } = seen;
      if (exit) throw new StageFailure(describeExit("the server", exit));
      waiting.throwIfAborted();
      if (origin && (await answers(origin, waiting))) return { origin, ...process };
      await sleep(POLL_MS);
    }
  } catch (error) {
    const { lastLines } = await process.end();
    if (signal.aborted || !limit.aborted) throw error;
    const timeout = `timed out after ${limitSeconds} s: the server did not answer`;
    throw new StageFailure([timeout, ...lastLines.slice(-QUOTED_LINES)].join("\n"));
  }
}

function observe({ keeper, command, log }: ServerStart) {
  const seen: { origin?: string; exit?: Exit } = {};
  const exited = new AbortController();
  const onLine = (line: string) => {
    const port = announcedPort(line);
    const { text, level } = readOutput(line);
    if (port === undefined) log?.(text, level);
    else seen.origin ??= `http://127.0.0.1:${port}`;
  };
  const child = keeper.start({ ...command, onLine });
  const ended = child.ended.then(({ exitCode, lastLines }) => {
    const output = lastLines.filter((line) => announcedPort(line) === undefined);
    const texts = output.flatMap((line) => readOutput(line).text.split("\n"));
    seen.exit = { exitCode, lastLines: texts };
    exited.abort();
    return seen.exit;
  });
  const end = () => child.end().then(() => ended);
  return { seen, exited: exited.signal, processGroup: child.processGroup, ended, end };
}

/**
 * A line that says why, in the middle of what is printed about it: `app.GraphLoadError: No module named 'x'`. A group of
 * exceptions has it behind bars, and itself only says how many they are.
 */
const CAUSE =
  /^(?:[ |]*\| )?(?:\w+\.)*(\w*(?:Error|Exception)\b[^:]*: (?!.*sub-exceptions?\)$)\S.*)/;
/**
 * The line of a package manager that says why, before its advice: of npm, pnpm, yarn 1 and newer ones, bun and uv. pnpm
 * prints thin spaces around its code.
 */
const REFUSAL =
  /^(?:npm error (?!(?:code|syscall|path|errno) )\S|\sE[A-Z\d_]+\s{2}|error (?!Command failed)|➤ YN00(?:01|09|28|35|82)|error: (?!No solution)|  cause: )/;
const QUOTED_LINES = 20;
/** Exits of a command that cannot say why. */
const KILLS = new Map([
  [undefined, "was killed"],
  [KILLED, "was killed, as where memory runs out"],
]);

/** The exit of a command: first why, by its last line if none says it, then others of its last lines. */
export function describeExit(what: string, { exitCode, lastLines }: Exit): string {
  const found = lastLines.findLastIndex((line) => CAUSE.test(line));
  const refusal = lastLines.findIndex((line) => REFUSAL.test(line));
  const said = [found, refusal].find((at) => at !== -1) ?? lastLines.length - 1;
  const index = KILLS.has(exitCode) ? -1 : said;
  const how = KILLS.get(exitCode) ?? `exited with code ${exitCode}`;
  const line = lastLines[index];
  const why = line === undefined ? "" : `: ${CAUSE.exec(line)?.[1] ?? line.trim()}`;
  const others = lastLines.filter((_, other) => other !== index).slice(-QUOTED_LINES);
  return [`${what} ${how}${why}`, ...others].join("\n");
}

/** A 4xx is an answer too: the server may require a key, or be configured without these paths. */
async function answers(origin: string, signal: AbortSignal): Promise<boolean> {
  for (const path of PROBES) {
    const response = await requestHere(origin + path, { signal }).catch(() => undefined);
    response?.destroy();
    if ((response?.statusCode ?? 500) >= 500) return false;
  }
  return true;
}

function announcedPort(line: string): number | undefined {
  return Announcement.safeParse(parseJson(line)).data?.port;
}
