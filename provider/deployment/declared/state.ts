import type { WaitState } from "../../../sdk/wait";
import { isRecord, recordOf, textOf } from "../../../shared/records";
import { optionsIn } from "../../arguments/option-inputs";
import { membersOf, present, type Props } from "../../arguments/props";
import { deploymentArguments } from "./argument-table";
import { declarable } from "./declarable";
import { type Declared, declaredBy, type Until } from "./declared";

/** The progress of the revision that this resource created last. */
export interface Rollout {
  readonly revisionId: string | null;
  readonly state: WaitState;
}

/** A revision that has served, and what it was built from; null where its source has no such part. */
export interface LastGoodRevision {
  readonly id: string;
  readonly repoRef: string | null;
  readonly repoCommitSha: string | null;
  readonly imageUri: string | null;
}

/** The last good revision of a deployment, and its declared values. */
export interface LastGood {
  readonly revision: LastGoodRevision | null;
  /** The declared values of the last roll-out that was done; undefined where no state has recorded them. */
  readonly declared: Declared | undefined;
}

export const NOTHING_GOOD: LastGood = { revision: null, declared: undefined };

/** A state, decoded from its outputs once. */
export interface State {
  readonly outputs: Props;
  readonly name: string | undefined;
  /** The resource's URN when the state was written. */
  readonly urn: string | undefined;
  /** All that it holds of the arguments: after `get` all that the service has. */
  readonly recorded: Declared;
  /** The inputs of a program that declares that state. */
  readonly declared: Declared;
  readonly rollout: Rollout;
  /** The last known status of the rollout's revision. */
  readonly status: string | undefined;
  /** The target of a rollback. */
  readonly lastGood: LastGood;
}

/** The target of an operation on a deployment. */
export interface Target {
  readonly declared: Declared;
  /** The commit that the revision must have. @default the declared one, if any */
  readonly commit?: string | undefined;
  /** The last good revision of the state before the operation. */
  readonly lastGood: LastGood;
  /** Secret values of the time before the operation, which no text may show either. @default none */
  readonly formerSecrets?: readonly string[];
}

/** Reads the outputs of a state. */
export function stateOf(outputs: Props): State {
  const rollout = rolloutOf(outputs);
  const recorded = recordedIn(outputs);
  const declared = declarable(recorded);
  const { lastGoodInputs } = outputs;
  const kept = isRecord(lastGoodInputs) ? goodIn(lastGoodInputs) : undefined;
  return {
    outputs,
    name: textOf(outputs["name"]),
    urn: textOf(outputs["__urn"]),
    recorded,
    declared,
    rollout,
    status: textOf(revisionIn(outputs, rollout.revisionId)["status"]),
    lastGood: {
      revision: lastGoodRevisionIn(outputs),
      declared: rollout.state === "done" ? goodIn(outputs) : kept,
    },
  };
}

/** One of the listed revisions; empty where it is not listed. */
export function revisionIn({ revisions }: Props, revisionId: unknown): Props {
  const listed: readonly unknown[] = Array.isArray(revisions) ? revisions : [];
  return listed.map(recordOf).find(({ id }) => id === revisionId) ?? {};
}

/** Values to go back to, with the names of their secrets: the program may declare others by then. */
function goodIn(props: Props): Declared {
  return { ...declarable(recordedIn(props)), secretNames: optionsIn(props).secretNames };
}

function recordedIn(outputs: Props): Declared {
  return declaredBy(present(membersOf(outputs, RECORDED)));
}

const RECORDED = [...deploymentArguments.names, "__nameDerived"];

function lastGoodRevisionIn(outputs: Props): LastGoodRevision | null {
  const { id, repoRef, repoCommitSha, imageUri } = recordOf(outputs["lastGoodRevision"]);
  const revisionId = textOf(id);
  if (revisionId === undefined) return null;
  return {
    id: revisionId,
    repoRef: textOf(repoRef) ?? null,
    repoCommitSha: textOf(repoCommitSha) ?? null,
    imageUri: textOf(imageUri) ?? null,
  };
}

/** The last known rollout; a state without one counts as done. */
export function rolloutOf(outputs: Props): Rollout {
  const { revisionId, state } = recordOf(outputs["rollout"]);
  return {
    revisionId: textOf(revisionId) ?? null,
    state: state === "pending" || state === "failed" ? state : "done",
  };
}

/** The rollout that an update finds: one that waits for more than the last one did is pending again. */
export function openRollout({ declared, rollout }: State, { until }: Declared): Rollout {
  const waitsForMore = STRICTNESS.indexOf(until) > STRICTNESS.indexOf(declared.until);
  const isOpen = rollout.state === "done" && waitsForMore;
  return isOpen ? { ...rollout, state: "pending" } : rollout;
}

const STRICTNESS: readonly Until[] = ["none", "deployed", "active"];
