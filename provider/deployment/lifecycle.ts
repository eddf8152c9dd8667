import { textOf } from "../../shared/records";
import type { Context } from "../resource/context";
import { type Checked, defineLifecycle, type Difference } from "../resource/define-lifecycle";
import { known } from "../arguments/decode";
import { validateSettings } from "../arguments/problems";
import type { Props } from "../arguments/props";
import { RESOURCE_TYPES } from "../resource-types";
import { deploymentArguments } from "./declared/argument-table";
import { findUnconfirmed } from "./adoption";
import { threadRefusals } from "./conversations";
import { checkInputs } from "./check";
import { createDeployment } from "./create";
import { type Declared, declaredBy } from "./declared/declared";
import { deleteDeployment } from "./delete";
import { difference } from "./diff";
import { variableLosses } from "./first-variables";
import { SERVICE_OUTPUTS, UNDECLARED, unsettledOutputs } from "./service/outputs";
import { keepsUrl, mayReplace, planOf } from "./declared/plan";
import { describeCreate, describeReplacement } from "./preview";
import { readDeployment } from "./read";
import { foreignWarning } from "./service/revision-order";
import { refuseUpdate } from "./declared/refusals";
import { gateRefusals } from "./rollout/gate";
import { nameProblems, replacementRefusals } from "./replacement";
import { type State, stateOf } from "./declared/state";
import { updateDeployment } from "./update";

/** The lifecycle of a `Deployment`. */
export const deploymentLifecycle = defineLifecycle<Declared, State>(RESOURCE_TYPES.Deployment, {
  arguments: deploymentArguments.rows,
  declared: declaredBy,
  state: stateOf,
  nameOf: ({ name }) => known(name),
  serviceOutputs: SERVICE_OUTPUTS,
  unsettledOutputs,
  undeclared: UNDECLARED,
  check: checkDeployment,
  refusalsOf: [gateRefusals, replacementRefusals, threadRefusals],
  warningsOf: variableLosses,
  describeReplacement,
  timeoutArgument: "wait.timeoutSeconds",
  difference: explainedDifference,
  create: createDeployment,
  read: readDeployment,
  update: updateDeployment,
  delete: deleteDeployment,
  findUnconfirmed,
});

function checkDeployment(olds: Props, news: Props, context: Context): Checked {
  const { settings } = validateSettings(context);
  const { declared, ...checked } = checkInputs(olds, news, context.urn ?? "", settings);
  const problems = [...checked.problems, ...nameProblems(declared, context)];
  return { ...checked, problems, inputs: declared.props, message: describeCreate(declared) };
}

function explainedDifference(
  id: string,
  state: State,
  declared: Declared,
  { urn = "", processCache, settings }: Context,
): Difference {
  // A refresh asks for a diff without a check before it, and changes nothing.
  const isDeclared = processCache.existing.has(urn);
  if (isDeclared) processCache.owners.add(id, urn, state.urn);
  const plan = planOf(state.declared, declared);
  const shown = difference(plan, state, declared);
  const isUpdate = isDeclared && !processCache.replaced.has(urn);
  if (isUpdate && !mayReplace(plan)) refuseUpdate(plan, settings().dialect);
  const url = textOf(state.outputs["url"]);
  if (isUpdate && url !== undefined && keepsUrl(plan)) processCache.keptUrls.set(id, url);
  const isRevised = unsettledOutputs(state, declared).includes("activeRevisionId");
  if (url !== undefined && (isRevised || plan.perhapsRevises.length > 0))
    processCache.revisedUrls.add(url);
  return { ...shown, warning: foreignWarning(state.outputs) };
}
