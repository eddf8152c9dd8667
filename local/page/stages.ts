import { factsOf, STAGES, type Stage } from "../../sdk/status";
import { hasEnded } from "../rollout/machine";
import type { StatusChange, StoredRevision } from "../store";

/** The time that a revision spent, or has spent so far, in a stage or waiting for one. */
export interface StageTime {
  readonly name: Stage | "wait";
  readonly milliseconds: number;
  readonly state: "done" | "running" | "failed";
}

/** Shorter waits are between two stages and say nothing. */
const SHORTEST_WAIT_MS = 500;

/** The stages that a revision has reached, in order, with the waits between them put together. */
export function stageTimes(changes: readonly StatusChange[], nowMs: number): StageTime[] {
  const last = changes.at(-1);
  if (!last) return [];
  const spent = new Map<StageTime["name"], number>();
  for (const [index, { at, status }] of changes.entries()) {
    if (hasEnded(status)) continue;
    const endMs = index + 1 < changes.length ? Date.parse(changes[index + 1]?.at ?? at) : nowMs;
    const name = factsOf(status).stage ?? "wait";
    spent.set(name, (spent.get(name) ?? 0) + Math.max(endMs - Date.parse(at), 0));
  }
  const reached = hasEnded(last.status) ? changes.at(-2)?.status : last.status;
  const current = reached && (factsOf(reached).stage ?? "wait");
  const ending = hasEnded(last.status) ? "failed" : "running";
  const names = ["create", "wait", ...STAGES.slice(1)] as const;
  return names.flatMap((name) => {
    const milliseconds = spent.get(name);
    const isLast = name === current && last.status !== "DEPLOYED";
    if (milliseconds === undefined) return [];
    if (name === "wait" && milliseconds < SHORTEST_WAIT_MS && !isLast) return [];
    return [{ name, milliseconds, state: isLast ? ending : "done" }];
  });
}

/** From the creation of a revision to its end, or until now. */
export function totalMs(revision: StoredRevision, nowMs: number): number {
  const endMs = hasEnded(revision.status) ? Date.parse(revision.updated_at) : nowMs;
  return endMs - Date.parse(revision.created_at);
}
