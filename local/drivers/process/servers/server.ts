import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { StageFailure } from "../../driver";
import type { Command, Ending, Keeper } from "../keeper/keeper";

/** An agent server's process that has answered. */
export interface Server {
  /** For example `http://127.0.0.1:40001`. */
  readonly origin: string;
  /** Resolves when the process is gone. */
  readonly ended: Promise<Ending>;
  end(): Promise<Ending>;
}

/** What it takes to start one. */
export interface ServerStart {
  readonly keeper: Keeper;
  readonly command: Command;
  readonly signal: AbortSignal;
  /** How long it may take until the server answers. */
  readonly limitSeconds: number;
  /** Finds what the process says of itself among its lines. @default announcements as lines of JSON */
  readonly parseReadiness?: (line: string) => Announcement | undefined;
}

/** What an agent server's process says of itself; its other lines are its log. */
const Announcement = z.discriminatedUnion("event", [
  z.object({ event: z.literal("listening"), port: z.int().min(1).max(65_535) }),
  z.object({ event: z.literal("failed"), message: z.string() }),
]);
export type Announcement = z.infer<typeof Announcement>;

const POLL_MS = 20;
const PROBES = ["/ok", "/info"];

/** Starts a server and waits until this very process answers; a `StageFailure` carries its last words. */
export async function startServer(start: ServerStart): Promise<Server> {
  const { signal, limitSeconds } = start;
  signal.throwIfAborted();
  const limit = AbortSignal.timeout(limitSeconds * 1000);
  const { known, gone, ended, end } = observe(start);
  const waiting = AbortSignal.any([signal, limit, gone]);
  try {
    for (;;) {
      const { said, ending } = known;
      if (said?.event === "failed") throw new StageFailure(`the server failed: ${said.message}`);
      if (ending) throw new StageFailure(describeEnding("the server", ending));
      waiting.throwIfAborted();
      const origin = said && `http://127.0.0.1:${said.port}`;
      if (origin && (await answers(origin, waiting))) return { origin, ended, end };
      await sleep(POLL_MS);
    }
  } catch (error) {
    const { lastLines } = await end();
    if (signal.aborted || !limit.aborted) throw error;
    throw new StageFailure(
      [`the server did not answer within ${limitSeconds} s`, ...lastLines].join("\n"),
    );
  }
}

/** Starts the process and notes what it says of itself, and how it ends. */
function observe({ keeper, command, parseReadiness = parseAnnouncement }: ServerStart) {
  const known: { said?: Announcement; ending?: Ending } = {};
  const gone = new AbortController();
  const onLine: Command["onLine"] = (line, stream) => {
    const announcement = parseReadiness(line);
    if (announcement) known.said ??= announcement;
    else command.onLine?.(line, stream);
  };
  const child = keeper.start({ ...command, onLine });
  const ended = child.ended.then(({ exitCode, lastLines }) => {
    known.ending = { exitCode, lastLines: lastLines.filter((line) => !parseReadiness(line)) };
    gone.abort();
    return known.ending;
  });
  const end = () => child.end().then(() => ended);
  return { known, gone: gone.signal, ended, end };
}

/** How a command ended, in words, with its last lines. */
export function describeEnding(what: string, { exitCode, lastLines }: Ending): string {
  const how = exitCode === undefined ? "was killed" : `ended with exit code ${exitCode}`;
  return [`${what} ${how}${lastLines.length > 0 ? ":" : ""}`, ...lastLines].join("\n");
}

/** Any answer but a failure is one: with its own authentication a server refuses, and it may be told not to know the paths. */
async function answers(origin: string, signal: AbortSignal): Promise<boolean> {
  for (const path of PROBES) {
    const response = await fetch(origin + path, { signal }).catch(() => undefined);
    await response?.arrayBuffer();
    if (!response || response.status >= 500) return false;
  }
  return true;
}

function parseAnnouncement(line: string): Announcement | undefined {
  try {
    return Announcement.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
