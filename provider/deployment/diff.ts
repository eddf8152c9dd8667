import type { Difference } from "../host/define-lifecycle";
import { textOf } from "../../shared/records";
import { type Props, sameValue, valueAt } from "../inputs/props";
import { INPUT_NAMES } from "./fields";
import { planOf } from "./plan";
import { describePlan } from "./words";

/**
 * Compares the outputs in the state with the checked inputs. Where something differs the comparison is left to the
 * engine, which shows it property by property and honours `replaceOnChanges`; `changes: true` only says that there is
 * something to do though the inputs are the same. A failed change that was taken back looks the same to the engine: it
 * updates all the same, since it knows that the last update failed.
 */
export function difference(olds: Props, news: Props): Difference {
  const plan = planOf(olds, news);
  const message = describePlan(plan, olds, news);
  if (plan.replaces.length > 0)
    return { result: { replaces: [...plan.replaces], deleteBeforeReplace: true }, message };
  const rollout = textOf(valueAt(olds, "rollout.state"));
  const unfinished = rollout === "pending" || rollout === "failed";
  return { result: sameInputs(olds, news) ? { changes: unfinished } : {}, message };
}

function sameInputs(olds: Props, news: Props): boolean {
  const derived = olds["nameDerived"] === true && news["nameDerived"] === true;
  return INPUT_NAMES.every(
    (name) => (name === "name" && derived) || sameValue(olds[name], news[name]),
  );
}
