import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { removeFolder } from "../folders";
import type { ManagedServer } from "./managed-server";
import { traffic, type Drain } from "./requests";
import type { Server } from "./server";

/**
 * A roll-over between servers that hold their threads in memory: the new one can start only when the old one has
 * ended.
 */
export interface Handover extends Drain {
  readonly old: ManagedServer;
  /** The state folders of the old and the new server. */
  readonly from: string;
  readonly to: string;
  readonly start: () => Promise<Server>;
  readonly promote: (server: Server) => Promise<void>;
  readonly log: (line: string) => void;
}

/**
 * Starts the new server without threads and ends it: a server that can't start is detected while the old one serves.
 */
export async function checkStart({ to, start, log }: Handover): Promise<void> {
  log("checking that the new server starts, without threads");
  await removeFolder(to);
  const check = async () => (await start()).end();
  await check().catch(async (error: unknown) => {
    await discard(to);
    throw error;
  });
  await removeFolder(to);
}

/**
 * Ends the old server, copies its threads and promotes a new server on the copy. The caller holds new requests
 * meanwhile. On failure the old server starts again on its own folder, which is never written to here.
 */
export async function handOver(handover: Handover): Promise<void> {
  const { old, from, to, start, promote, limitSeconds, signal, log } = handover;
  // A server that is ended while it starts may write fewer threads than it has read.
  await old.settled();
  signal.throwIfAborted();
  log(`draining the old server: new requests wait, running ones have ${limitSeconds} s to finish`);
  if (old.server) await traffic.drain(old.server.origin, handover);
  // An abort before this line has changed nothing.
  try {
    const exit = await old.stop();
    if (exit && exit.exitCode === undefined) log(KILLED);
    signal.throwIfAborted();
    // A folder that was never written does not exist.
    if (existsSync(from)) await cp(from, to, { recursive: true });
    await promote(await start());
  } catch (error) {
    log("the previous revision keeps serving, with its threads");
    old.origin().catch(() => {}); // requests get the reason from its state
    await discard(to);
    throw error;
  }
}

const KILLED =
  "the previous revision's server did not exit and was killed; threads that it had not written to disk are lost";

/**
 * Removes a state after a failure, or half a copy. An error here must not hide that failure; the next attempt removes the
 * rest before its start.
 */
async function discard(folder: string): Promise<void> {
  await removeFolder(folder).catch(() => {});
}
