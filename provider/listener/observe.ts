import type { Listener } from "../../sdk";
import { findRecorded } from "../host/find";
import type { Operation } from "../host/operation";
import type { Props } from "../inputs/props";

/** Reads the listener that the state speaks of; undefined when it is surely gone. */
export function findListener(job: Operation, state: Props): Promise<Listener | undefined> {
  return findRecorded(job, state, {
    noun: "listener",
    get: () => job.client.listeners.get(job.id),
    // An answer names no workspace: it is the one that was asked.
    tenantOf: () => job.settings.workspaceId,
  });
}
