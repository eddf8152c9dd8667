import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, rename } from "node:fs/promises";
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
  await removeState(to);
  const check = async () => (await start()).end();
  await check().finally(() => discardState(to));
}

/**
 * Ends the old server, copies its threads and promotes a new server on the copy. The caller holds new requests
 * meanwhile. On failure the old server starts again on its own folder, which is never written to here.
 */
export async function handOver(handover: Handover): Promise<void> {
  const { old, from, to, start, promote, limitSeconds, signal, log } = handover;
  signal.throwIfAborted();
  // A server that is ended while it starts may write fewer threads than it has read.
  await Promise.race([old.settled(), once(signal, "abort")]);
  log(`draining the old server: new requests wait, running ones have ${limitSeconds} s to finish`);
  if (old.server) await traffic.drain(old.server.origin, handover);
  // An abort before this line has changed nothing.
  try {
    const exit = await old.stop();
    if (exit && exit.exitCode === undefined) log(KILLED);
    signal.throwIfAborted();
    await copyState(from, to);
    await promote(await start());
  } catch (error) {
    log("the previous revision keeps serving, with its threads");
    old.origin().catch(() => {}); // requests get the reason from its state
    await discardState(to);
    throw error;
  }
}

const KILLED =
  "the previous revision's server did not exit and was killed; threads that it had not written to disk are lost";

const partial = (folder: string) => `${folder}.partial`;

/** Copies all or nothing. A folder that was never written does not exist. */
async function copyState(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  await cp(from, partial(to), { recursive: true });
  await rename(partial(to), to);
}

/** Removes the state after a failure. An error here must not hide that failure; the next attempt removes the rest. */
async function discardState(folder: string): Promise<void> {
  await removeState(folder).catch(() => {});
}

/** Removes a state folder, and what an interrupted copy left of it. */
export async function removeState(folder: string): Promise<void> {
  for (const path of [folder, partial(folder)]) await removeFolder(path);
}
