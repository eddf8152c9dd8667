import type { Found } from "../host/define-lifecycle";
import { notFoundError } from "../host/find";
import { operationOf } from "../host/operation";
import type { Context } from "../host/context";
import { membersOf, type Props } from "../inputs/props";
import { INPUT_NAMES } from "./fields";
import { everyInput, toInputs, toOutputs } from "./mapping";
import { findListener } from "./observe";

/**
 * Reads the listener for a refresh or for `Listener.get`: the outputs, and the recorded inputs with the service's values
 * in them. Undefined when it is surely gone; for `get` that is an error.
 */
export async function readListener(
  id: string,
  props: Props,
  context: Context,
): Promise<Found | undefined> {
  const job = operationOf(context, id);
  const isGet = props["computeType"] === undefined;
  const listener = await findListener(job, props);
  if (listener === undefined) {
    if (isGet) throw notFoundError("listener", job);
    return undefined;
  }
  const inputs = isGet ? everyInput(listener) : toInputs(membersOf(props, INPUT_NAMES), listener);
  return { inputs, outs: toOutputs(inputs, listener, job.settings) };
}
