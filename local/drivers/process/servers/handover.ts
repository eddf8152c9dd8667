import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, rename, rm } from "node:fs/promises";
import type { Server } from "./server";
import type { ManagedServer } from "./managed-server";
import { traffic, type Drain } from "./traffic";

/** Two servers that hold their threads in memory: the later one can start only when the earlier one has ended. */
export interface Handover extends Drain {
  readonly old: ManagedServer;
  /** The state folders of both. */
  readonly from: string;
  readonly to: string;
  /** Starts the new server on what is in its folder. */
  readonly start: () => Promise<Server>;
  /** Lets the new server take over. */
  readonly promote: (server: Server) => Promise<void>;
  readonly log: (line: string) => void;
}

/** Starts the new server without threads and ends it: one that can't start is found out while the old one serves. */
export async function tryOut({ to, start, log }: Handover): Promise<void> {
  log("checking that the server starts, without threads so far");
  await removeState(to);
  try {
    await (await start()).end();
  } catch (error) {
    await removeLeftovers(to);
    throw error;
  }
  await removeState(to);
}

/**
 * Ends the old server, copies its threads, and lets a new one on the copy take over; while it runs, requests are to be
 * held. On failure the old one serves on, from its folder that nobody has touched.
 */
export async function handOver(handover: Handover): Promise<void> {
  const { old, from, to, start, promote, limitSeconds, signal, log } = handover;
  signal.throwIfAborted();
  // Ended during its start, a server might write less than it has read.
  await Promise.race([old.settled(), once(signal, "abort")]);
  log(`new requests wait while running ones finish, for at most ${limitSeconds} s`);
  if (old.server) await traffic.drain(old.server.origin, handover);
  // Aborted up to here, nothing has happened.
  try {
    const ending = await old.stop();
    if (ending && ending.exitCode === undefined) log(KILLED);
    signal.throwIfAborted();
    await copyState(from, to);
    await promote(await start());
  } catch (error) {
    log("the revision before serves on, with the threads that it had");
    old.origin().catch(() => {}); // whoever asks is told by its state
    await removeLeftovers(to);
    throw error;
  }
}

const KILLED =
  "the server of the revision before did not end by itself and was killed: what it had not written to disk is lost";

const partOf = (folder: string) => `${folder}.partial`;

/** Whole or not at all; what was never written is not there to be copied. */
async function copyState(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  await cp(from, partOf(to), { recursive: true });
  await rename(partOf(to), to);
}

/** What stays after a failure is removed before the next try: that it could not be removed must not hide the failure. */
async function removeLeftovers(folder: string): Promise<void> {
  await removeState(folder).catch(() => {});
}

/** Removes a state folder, and what a copy that was cut short has left of it. */
export async function removeState(folder: string): Promise<void> {
  for (const path of [folder, partOf(folder)])
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
