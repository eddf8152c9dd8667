import { randomUUID } from "node:crypto";
import { isTransient, NotOfferedError, RequestError } from "../../../sdk";
import { messageOf } from "../../../shared/errors";
import type { Operation } from "../../resource/operation";

/** Interrupts a revision that must not serve. Resolves to why it could not; undefined where it did. */
export async function interruptRevision(
  { client, id }: Operation,
  revisionId: string,
): Promise<string | undefined> {
  try {
    await client.revisions.interrupt(id, revisionId);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Whether the control plane interrupts revisions: one that does reports an unknown revision in its own words. */
export async function interruptsRevisions({ client, id }: Operation): Promise<boolean> {
  try {
    await client.revisions.interrupt(id, randomUUID());
  } catch (error) {
    if (error instanceof NotOfferedError) return false;
    if (!(error instanceof RequestError) || isTransient(error)) throw error;
  }
  return true;
}
