import { createHash } from "node:crypto";
import { type AgentServer, type CreateThread, NotFound, type Thread } from "../../sdk";
import type { Context } from "../host/context";
import { identityOf } from "../host/urn";
import { type Props, sameValue } from "../inputs/props";
import { MARK } from "./mapping";

/**
 * The id of this resource's thread: the same at each attempt and in both front ends, so that a create whose answer was
 * lost finds its thread again, whatever has changed in the program since. Formatted as a UUID of version 8 (RFC 9562 §5.8).
 */
export function ownId({ urn = "" }: Context, attempt: number): string {
  const { project, stack, parentTypes, logicalName } = identityOf(urn);
  const canonical = JSON.stringify([1, attempt, project, stack, parentTypes, logicalName]);
  const hex = createHash("sha256").update(canonical).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const OWN_CREATE_MS = 3_600_000;

/** A thread of the id that only this resource asks for, with its mark and young: the try before made it. */
export function isOwn(
  server: AgentServer,
  { created_at, metadata }: Thread,
  inputs: Props,
): boolean {
  const age = server.serverNow().getTime() - Date.parse(created_at);
  return inputs["__createFirst"] !== true && age < OWN_CREATE_MS && MARK in metadata;
}

/** Whether a thread has all the metadata that is declared, its mark too: it was made of the same. */
export function isSame({ metadata }: Thread, declared: CreateThread): boolean {
  return Object.entries(declared.metadata ?? {}).every(([key, value]) =>
    sameValue(metadata[key], value),
  );
}

const MOST_STATES = 1000;

/** Whether a thread has a state for each superstep: the real servers keep what a create has made that failed in them. */
export async function isWhole(
  { threads }: AgentServer,
  threadId: string,
  { supersteps = [] }: CreateThread,
): Promise<boolean> {
  const limit = Math.min(supersteps.length, MOST_STATES);
  if (limit === 0) return true;
  try {
    return (await threads.history(threadId, { limit })).length === limit;
  } catch (error) {
    // The real servers have no history of a thread whose graph they do not have.
    if (error instanceof NotFound) return false;
    throw error;
  }
}

/** Deletes what such a create has left; where that can't be done, its id stays taken and another one is used. */
export async function discard({ threads }: AgentServer, threadId: string): Promise<void> {
  await threads.delete(threadId).catch(() => undefined);
}
