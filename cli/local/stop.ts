import { requireStopped, StartError } from "../../local/platform/folder";
import {
  DEFAULT_DATA_DIR,
  pathsIn,
  type PlatformIdentity,
  readIdentity,
} from "../../local/platform/identity-file";
import { isBusy } from "../../local/sqlite/database";
import { codeOf, messageOf } from "../../shared/errors";
import { requestHere } from "../../shared/request-here";
import { CommandFailure } from "../failure";
import { until } from "./until";
import { printJson, printLine, type Terminal } from "../terminal/terminal";

/** Options of the command `local stop`. */
export interface StopOptions {
  readonly dataDir?: string | undefined;
  readonly json: boolean;
  /** For its answer, and then for its end. @default 60,000 */
  readonly limitMs?: number;
}

const PROCESS_LIMIT_MS = 5_000;

/** The codes of a connection that the other side has closed. */
const CLOSED = ["ECONNRESET", "EPIPE"];

/** Stops the local platform on a data folder, and waits until it is gone. One that does not run is not an error. */
export async function stop(options: StopOptions, terminal: Terminal): Promise<void> {
  const { dataDir = DEFAULT_DATA_DIR, limitMs = 60_000 } = options;
  const identity = identityOf(dataDir);
  const { url, pid } = identity;
  // Where none runs, the port may be another user's, who must not get the key.
  const stopped = isHeld(dataDir) && (await requestStop(identity, limitMs));
  await untilGone(dataDir, identity, stopped ? limitMs : 0);
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
async function requestStop(identity: PlatformIdentity, limitMs: number): Promise<boolean> {
  const { url, adminKey } = identity;
  const signal = AbortSignal.timeout(limitMs);
  try {
    const headers = { "X-Local-Key": adminKey };
    const response = await requestHere(`${url}/_local/stop`, { method: "POST", headers, signal });
    response.destroy();
    const { statusCode } = response;
    if (statusCode !== 204)
      throw new CommandFailure(
        `${url} is not the local platform of this folder: it answered with ${statusCode}; nothing was stopped`,
      );
    return true;
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    if (signal.aborted) throw doesNotEnd(identity, limitMs);
    // The connection closes with the platform.
    return CLOSED.includes(codeOf(error));
  }
}

async function untilGone(
  dataDir: string,
  identity: PlatformIdentity,
  limitMs: number,
): Promise<void> {
  const { pid } = identity;
  const stopped = limitMs > 0;
  if (!(await until(limitMs, () => !isHeld(dataDir))))
    throw stopped
      ? doesNotEnd(identity, limitMs)
      : new CommandFailure(`another process still uses ${pathsIn(dataDir).folder}`);
  if (stopped && pid !== process.pid) await until(PROCESS_LIMIT_MS, () => !exists(pid));
}

function doesNotEnd({ url, pid }: PlatformIdentity, limitMs: number): CommandFailure {
  return new CommandFailure(
    `the local platform at ${url} has not ended within ${limitMs / 1000} s; end its process with \`kill -9 ${pid}\` where it runs: its data stays`,
  );
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

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
