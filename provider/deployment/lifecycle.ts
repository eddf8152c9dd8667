import { withErrorContext, type Task } from "../host/errors";
import { validateSettings } from "../inputs/problems";
import type { Context, Lifecycle } from "../host/serve";
import { textOf } from "../../shared/records";
import type { Props } from "../inputs/props";
import { difference } from "./diff";
import { refuseUpdate } from "./refusals";
import { describeCreate, foreignFailure, describeReplacement } from "./words";

/**
 * What happens to a `Deployment`. The parts that speak with the control plane, or know the wire's schema, are loaded
 * when they are first needed.
 */
export const deploymentLifecycle: Lifecycle = {
  async check(olds, news, context) {
    const { checkInputs } = await import("./check.js");
    const { problems: settingsProblems, settings } = validateSettings(context);
    const checked = checkInputs(olds, news, context.urn ?? "", settings?.dialect);
    const { inputs, problems, warnings } = checked;
    const failures = [...problems, ...settingsProblems];
    for (const warning of warnings) context.log.warn(warning);
    const message = announcement(context, olds, inputs);
    if (failures.length === 0 && message !== undefined) context.log.info(message);
    // The engine shows failures of one resource together: nothing is left for a second try.
    return { inputs, failures };
  },
  diff(id, olds, news, { log, urn, memory }) {
    memory.ownership.own(id, urn, textOf(olds["__urn"]));
    const { result, message } = difference(olds, news);
    if (result.replaces) memory.announced.add(urn ?? "");
    // A refresh asks without a check before it, and changes nothing.
    else if (memory.existing.has(urn ?? "")) refuseUpdate(olds, news);
    if (message !== undefined) log.info(message);
    const failure = foreignFailure(olds);
    if (failure !== undefined) log.warn(failure);
    return result;
  },
  async create(inputs, context) {
    const { createDeployment } = await import("./create.js");
    const task = taskOf("create", inputs);
    return withErrorContext(context, task, () => createDeployment(inputs, context));
  },
  async read(id, props, context) {
    const { readDeployment } = await import("./read.js");
    const task = taskOf("get", props, id);
    return withErrorContext(context, task, () => readDeployment(id, props, context));
  },
  async update(id, olds, news, context) {
    const { updateDeployment } = await import("./update.js");
    const update = async (): Promise<{ outs: Props }> => ({
      outs: await updateDeployment(id, olds, news, context),
    });
    return withErrorContext(context, taskOf("update", olds), update);
  },
  async delete(id, props, context) {
    const { deleteDeployment } = await import("./delete.js");
    const task = taskOf("delete", props);
    return withErrorContext(context, task, () => deleteDeployment(id, props, context));
  },
};

/**
 * What `check` says of a create, and of a replacement that `diff` is not asked about (`--replace`, `pulumi state taint`) or
 * does not decide (`replaceOnChanges`): the engine checks a resource that is to be made anew once more, as a new one.
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

function taskOf(verb: string, props: Props, id = ""): Task {
  return { action: `${verb} deployment`, subject: textOf(props["name"]) ?? id };
}
