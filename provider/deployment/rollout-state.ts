import type { WaitState } from "../../sdk/wait";
import { recordOf, textOf } from "../../shared/records";
import { type Props, valueAt } from "../inputs/props";
import type { Until } from "./status";

/** How far the revision has come that this resource made last. */
export interface Rollout {
  readonly revisionId: string | null;
  readonly state: WaitState;
}

/** The last known rollout; a state that has none is taken for done. */
export function rolloutOf(outputs: Props): Rollout {
  const { revisionId, state } = recordOf(outputs["rollout"]);
  return {
    revisionId: textOf(revisionId) ?? null,
    state: state === "pending" || state === "failed" ? state : "done",
  };
}

/** The rollout that an update finds: a wait that asks for more than the last one did has yet to be waited for. */
export function openRollout(olds: Props, news: Props): Rollout {
  const rollout = rolloutOf(olds);
  const asksMore = ASKING_MORE.indexOf(untilOf(news)) > ASKING_MORE.indexOf(untilOf(olds));
  const isOpen = rollout.state === "done" && rollout.revisionId !== null && asksMore;
  return isOpen ? { ...rollout, state: "pending" } : rollout;
}

const ASKING_MORE: readonly Until[] = ["none", "deployed", "active"];

/** What the inputs wait for. */
export function untilOf(inputs: Props): Until {
  const until = textOf(valueAt(inputs, "wait.until"));
  return until === "deployed" || until === "none" ? until : "active";
}
