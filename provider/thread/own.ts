import { createHash } from "node:crypto";
import { type AgentServer, type CreateThread, NotFound, type Thread } from "../../sdk";
import type { Context } from "../host/context";
import { identityOf } from "../host/urn";
import { optionsIn } from "../inputs/option-inputs";
import { sameValue } from "../inputs/props";
import type { Declared } from "./diff";
import { MARK } from "./mapping";

/**
 * The id that a thread of this resource gets: the same at each attempt and in both front ends, so that a create whose response was lost finds its
 * thread again, whatever has changed in the program since. In the form of a UUID of version 8 (RFC 9562 §5.8).
 */
export function ownId({ urn = "" }: Context, attempt: number): string {
  const { project, stack, parentTypes, logicalName } = identityOf(urn);
  const canonical = JSON.stringify([1, attempt, project, stack, parentTypes, logicalName]);
  const hex = createHash("sha256").update(canonical).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Remembers the id that a resource has in the state. The engine may delete that thread after the create of its
 * replacement, which must have another id.
 */
export function hold({ memory, urn = "" }: Context, id: string): void {
  memory.held.add(`${urn} ${id}`);
}

export function isHeld({ memory, urn = "" }: Context, id: string): boolean {
  return memory.held.has(`${urn} ${id}`);
}

const OWN_CREATE_MS = 3_600_000;

/** Whether a thread of an own id has the mark and is young: the attempt before created it. */
export function isOwn(
  server: AgentServer,
  { created_at, metadata }: Thread,
  { props }: Declared,
): boolean {
  const age = server.serverNow().getTime() - Date.parse(created_at);
  // With create-before-replace, the old thread still has the id that the new one would get.
  return (
    optionsIn(props).replacementOrder !== "creates first" && age < OWN_CREATE_MS && MARK in metadata
  );
}

/** Whether a thread has all the metadata of a create, its mark too: it was created from the same. */
export function isSame({ metadata }: Thread, body: CreateThread): boolean {
  return Object.entries(body.metadata ?? {}).every(([key, value]) =>
    sameValue(metadata[key], value),
  );
}

const MOST_STATES = 1000;

/** Whether a thread has a state for each superstep: the real servers keep what a create did before it failed. */
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

/** Deletes the rest of a failed create. Where that fails, its id stays taken and another one is used. */
export async function discard({ threads }: AgentServer, threadId: string): Promise<void> {
  await threads.delete(threadId).catch(() => undefined);
}
