import { NotFound, type Thread } from "../../sdk";
import type { Context } from "../host/context";
import type { Found } from "../host/define-lifecycle";
import { membersOf, present, type Props } from "../inputs/props";
import { INPUT_NAMES } from "./fields";
import { toInputs, toOutputs } from "./mapping";
import { addressOf, isAbandoned, serverOf } from "./server";

/**
 * Reads the thread for a refresh or for `Thread.get`. Undefined when it is surely gone, or its whole agent server is; for
 * `get` that is an error.
 */
export async function readThread(
  id: string,
  props: Props,
  context: Context,
): Promise<Found | undefined> {
  const { threads } = serverOf(props, context.clock);
  const isGet = props["threadId"] === undefined;
  let thread: Thread;
  try {
    thread = await threads.get(id);
  } catch (error) {
    const isGone = error instanceof NotFound || (await isAbandoned(error, props, context));
    if (!isGone) throw error;
    if (!isGet) return undefined;
    throw new Error(`get thread '${id}': it does not exist at ${addressOf(props)}`, {
      cause: error,
    });
  }
  // A 404 to this means that the server does not have the thread's graph.
  const state = await threads.state(id);
  const inputs = toInputs(present(membersOf(props, INPUT_NAMES)), thread);
  return { inputs, outs: toOutputs(inputs, thread, state) };
}
