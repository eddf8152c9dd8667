import { NotFound, type Thread } from "../../sdk";
import { goneError } from "../host/find";
import type { Context } from "../host/context";
import { recordOf } from "../../shared/records";
import { membersOf, type Props, sameValue } from "../inputs/props";
import { SEEN_NAMES } from "./fields";
import { toMetadata, toOutputs, UNDECLARED, wasSeen } from "./mapping";
import { deploymentOf, serverOf } from "./server";

/**
 * Brings the thread's metadata from the old outputs to the new inputs. With another key alone nothing is sent: the server
 * may not take it yet, or no longer.
 */
export async function updateThread(
  id: string,
  olds: Props,
  news: Props,
  context: Context,
): Promise<Props> {
  if (wasSeen(olds) && sameValue(olds["metadata"], news["metadata"]))
    return {
      ...deploymentOf(news, context, olds),
      ...UNDECLARED,
      ...news,
      ...membersOf(olds, SEEN_NAMES),
    };
  const { threads } = serverOf(news, context.clock);
  const wanted = changedMetadata(olds, news);
  let thread: Thread;
  try {
    thread = await threads.get(id);
    const lacking = Object.entries(wanted).some(
      ([key, value]) => !sameValue(thread.metadata[key], value),
    );
    if (lacking) thread = await threads.update(id, { metadata: wanted });
  } catch (error) {
    throw error instanceof NotFound ? goneError("thread", id, id) : error;
  }
  const state = await threads.state(id);
  return { ...deploymentOf(news, context, olds), ...toOutputs(news, thread, state) };
}

/** Agent servers only lay members over what is there: one that is given up is set to null. */
function changedMetadata(olds: Props, news: Props): Record<string, unknown> {
  const wanted = toMetadata(news);
  const givenUp = Object.keys(recordOf(olds["metadata"])).filter((key) => !(key in wanted));
  return { ...wanted, ...Object.fromEntries(givenUp.map((key) => [key, null])) };
}
