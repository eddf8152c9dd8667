import { textOf } from "../../shared/records";
import type { Context } from "../host/context";
import { type Checked, defineLifecycle, type Difference } from "../host/define-lifecycle";
import { validateSettings } from "../inputs/problems";
import type { Props } from "../inputs/props";
import { checkInputs } from "./check";
import { createDeployment } from "./create";
import { deleteDeployment } from "./delete";
import { difference } from "./diff";
import { claim } from "./owners";
import { readDeployment } from "./read";
import { refuseUpdate } from "./refusals";
import { updateDeployment } from "./update";
import { describeCreate, describeReplacement, foreignFailure } from "./words";

/** What happens to a `Deployment`. */
export const deploymentLifecycle = defineLifecycle<Props>({
  noun: "deployment",
  declared: (inputs) => inputs,
  state: (outputs) => outputs,
  nameOf: ({ name }) => textOf(name),
  check: checkDeployment,
  difference: explainedDifference,
  create: createDeployment,
  read: readDeployment,
  update: updateDeployment,
  delete: deleteDeployment,
});

function checkDeployment(olds: Props, news: Props, context: Context): Checked {
  const dialect = validateSettings(context).settings?.dialect;
  const checked = checkInputs(olds, news, context.urn ?? "", dialect);
  return { ...checked, message: announcement(context, olds, checked.inputs) };
}

function explainedDifference(
  id: string,
  olds: Props,
  news: Props,
  { urn, memory }: Context,
): Difference {
  claim(memory, id, urn, textOf(olds["__urn"]));
  const { result, message } = difference(olds, news);
  if (result.replaces) memory.announced.add(urn ?? "");
  // A refresh asks for a diff without a check before it, and changes nothing.
  else if (memory.existing.has(urn ?? "")) refuseUpdate(olds, news);
  return { result, message, warning: foreignFailure(olds) };
}

/**
 * The message of `check` about a create, and about a replacement that `diff` is not asked about (`--replace`,
 * `pulumi state taint`) or does not decide (`replaceOnChanges`): the engine checks a resource that it recreates once more,
 * as a new one.
 */
function announcement(
  { urn = "", memory: { existing, announced } }: Context,
  olds: Props,
  inputs: Props,
): string | undefined {
  const isNew = Object.keys(olds).length === 0;
  if (!isNew) existing.add(urn);
  if (!isNew || announced.has(urn)) return undefined;
  return existing.has(urn) ? `replaced: ${describeReplacement(inputs)}` : describeCreate(inputs);
}
