import type { Difference } from "../resource/define-lifecycle";
import { membersOf, sameValue } from "../arguments/props";
import { deploymentArguments } from "./declared/argument-table";
import type { Declared } from "./declared/declared";
import type { Plan } from "./declared/plan";
import { describePlan } from "./preview";
import type { State } from "./declared/state";

/**
 * Compares the state with the checked inputs. Where something differs the comparison is left to the engine, which shows
 * it property by property and honours `replaceOnChanges`; `changes: true` only says that there is something to do though
 * the inputs are the same. A failed change that was rolled back looks the same to the engine: it updates all the same,
 * since it knows that the last update failed.
 */
export function difference(plan: Plan, state: State, declared: Declared): Difference {
  const message = describePlan(plan, state, declared);
  if (plan.replaces.length > 0)
    return { result: { replaces: [...plan.replaces], deleteBeforeReplace: true }, message };
  const isOpen = state.rollout.state !== "done";
  const result = sameInputs(state.declared, declared) ? { changes: isOpen } : {};
  return { result, message, ...(isOpen && { isOpen }) };
}

function sameInputs(before: Declared, after: Declared): boolean {
  const isDerived = before.isNameDerived && after.isNameDerived;
  const { names, paths, same, withoutDefaults, withValues } = deploymentArguments;
  const equal = paths.filter((path) => same(path, before[path], after[path]));
  const olds = withoutDefaults(before.props);
  const news = withoutDefaults(withValues(after, membersOf(before, equal)).props);
  return names.every((name) => (name === "name" && isDerived) || sameValue(olds[name], news[name]));
}
