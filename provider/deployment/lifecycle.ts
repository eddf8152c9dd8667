import type { Context } from "../host/context";
import { type Checked, defineLifecycle, type Difference } from "../host/define-lifecycle";
import { validateSettings } from "../inputs/problems";
import type { Props } from "../inputs/props";
import { checkInputs } from "./check";
import { createDeployment } from "./create";
import { type Declared, declaredBy } from "./declared";
import { deleteDeployment } from "./delete";
import { difference } from "./diff";
import { planOf } from "./plan";
import { describeCreate, describeReplacement, foreignFailure } from "./preview";
import { readDeployment } from "./read";
import { refuseUpdate } from "./refusals";
import { type State, stateOf } from "./state";
import { updateDeployment } from "./update";

/** What happens to a `Deployment`. */
export const deploymentLifecycle = defineLifecycle<Declared, State>({
  noun: "deployment",
  declared: declaredBy,
  state: stateOf,
  nameOf: ({ name }) => name,
  check: checkDeployment,
  difference: explainedDifference,
  create: createDeployment,
  read: readDeployment,
  update: updateDeployment,
  delete: deleteDeployment,
});

function checkDeployment(olds: Props, news: Props, context: Context): Checked {
  const dialect = validateSettings(context).settings?.dialect;
  const { declared, ...checked } = checkInputs(olds, news, context.urn ?? "", dialect);
  const message = announcement(context, olds, declared);
  return { ...checked, inputs: declared.inputs, message };
}

function explainedDifference(
  id: string,
  state: State,
  declared: Declared,
  { urn, memory }: Context,
): Difference {
  memory.ownership.own(id, urn, state.urn);
  const plan = planOf(state.declared, declared);
  const { result, message } = difference(plan, state);
  if (result.replaces) memory.announced.add(urn ?? "");
  // A refresh asks for a diff without a check before it, and changes nothing.
  else if (memory.existing.has(urn ?? "")) refuseUpdate(plan);
  return { result, message, warning: foreignFailure(state.outputs) };
}

/**
 * The message of `check` about a create, and about a replacement that `diff` is not asked about (`--replace`,
 * `pulumi state taint`) or does not decide (`replaceOnChanges`): the engine checks a resource that it recreates once more,
 * as a new one.
 */
function announcement(
  { urn = "", memory: { existing, announced } }: Context,
  olds: Props,
  declared: Declared,
): string | undefined {
  const isNew = Object.keys(olds).length === 0;
  if (!isNew) existing.add(urn);
  if (!isNew || announced.has(urn)) return undefined;
  return existing.has(urn)
    ? `replaced: ${describeReplacement(declared)}`
    : describeCreate(declared);
}
