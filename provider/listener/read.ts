import type { dynamic } from "@pulumi/pulumi";
import { notFoundError } from "../host/find";
import { jobOf } from "../host/job";
import type { Context } from "../host/serve";
import { hiddenOf, membersOf, type Props } from "../inputs/props";
import { INPUT_NAMES } from "./fields";
import { everyInput, toInputs, toOutputs } from "./mapping";
import { findListener } from "./observe";

/**
 * Reads the listener for a refresh or for `Listener.get`: the outputs, and the recorded inputs with the service's values
 * in them. An empty id says that it is surely gone; for `get` that is an error.
 */
export async function readListener(
  id: string,
  props: Props,
  context: Context,
): Promise<dynamic.ReadResult<Props>> {
  const job = jobOf(id, context);
  const isGet = props["computeType"] === undefined;
  const listener = await findListener(job, props);
  if (listener === undefined) {
    if (isGet) throw notFoundError("listener", job);
    return { id: "", props: {} };
  }
  const inputs = isGet ? everyInput(listener) : toInputs(membersOf(props, INPUT_NAMES), listener);
  const kept = hiddenOf(props);
  const outputs = toOutputs(inputs, listener, job.settingsInForce);
  return { id, props: { ...kept, ...outputs }, inputs: { ...kept, ...inputs } };
}
