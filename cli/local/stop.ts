import { setTimeout as sleep } from "node:timers/promises";
import { requireStopped, StartError } from "../../local/platform/folder";
import {
  DEFAULT_DATA_DIR,
  pathsIn,
  type PlatformIdentity,
  readIdentity,
} from "../../local/platform/identity-file";
import { isBusy } from "../../local/sqlite/database";
import { codeOf, messageOf } from "../../shared/errors";
import { CommandFailure } from "../failure";
import { printJson, printLine, type Terminal } from "../terminal/terminal";

/** Options of the command `local stop`. */
export interface StopOptions {
  readonly dataDir?: string | undefined;
  readonly json: boolean;
}

const PLATFORM_LIMIT_MS = 60_000;
const PROCESS_LIMIT_MS = 5_000;
const POLL_MS = 20;

/** The codes of a connection that the other side has closed. */
const CLOSED = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

/** Stops the local platform on a data folder, and waits until it is gone. One that does not run is not an error. */
export async function stop(options: StopOptions, terminal: Terminal): Promise<void> {
  const { dataDir = DEFAULT_DATA_DIR } = options;
  const identity = identityOf(dataDir);
  const { url, pid } = identity;
  // Where none runs, the port may be another user's, who must not get the key.
  const stopped = isHeld(dataDir) && (await requestStop(identity));
  await untilGone(dataDir, pid, stopped);
  if (options.json) return printJson(terminal, { url, pid, stopped });
  const done = `stopped the local platform at ${url}, process ${pid}`;
  printLine(terminal, stopped ? done : `the local platform at ${url} does not run`);
}

function identityOf(dataDir: string): PlatformIdentity {
  try {
    const identity = readIdentity(dataDir);
    if (identity) return identity;
  } catch (error) {
    throw new CommandFailure(messageOf(error), { cause: error });
  }
  throw new CommandFailure(`no local platform has run on ${pathsIn(dataDir).folder}`);
}

/** Asks the platform itself: its process may be in a container, or gone and its id another's. */
async function requestStop({ url, adminKey }: PlatformIdentity): Promise<boolean> {
  try {
    const headers = { "X-Local-Key": adminKey };
    const request = { method: "POST", headers, redirect: "manual" } as const;
    const { status } = await fetch(`${url}/_local/stop`, request);
    if (status !== 204)
      throw new CommandFailure(
        `${url} is not the local platform of this folder: it answered with ${status}; nothing was stopped`,
      );
    return true;
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    // The connection closes with the platform.
    return CLOSED.includes(codeOf(error instanceof Error ? error.cause : undefined));
  }
}

async function untilGone(dataDir: string, pid: number, stopped: boolean): Promise<void> {
  const { folder } = pathsIn(dataDir);
  const isFree = await until(stopped ? PLATFORM_LIMIT_MS : 0, () => !isHeld(dataDir));
  if (!isFree) throw new CommandFailure(`another process still uses ${folder}`);
  if (stopped && pid !== process.pid) await until(PROCESS_LIMIT_MS, () => !exists(pid));
}

/** Whether a process holds the folder: its platform, or one that starts or closes. */
function isHeld(dataDir: string): boolean {
  try {
    requireStopped(dataDir);
    return false;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    if (isBusy(error.cause)) return true;
    throw new CommandFailure(error.message, { cause: error });
  }
}

async function until(limitMs: number, isSo: () => boolean): Promise<boolean> {
  for (const deadline = Date.now() + limitMs; ; await sleep(POLL_MS)) {
    if (isSo()) return true;
    if (Date.now() >= deadline) return false;
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
