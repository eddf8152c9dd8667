import { NotFound, type Thread } from "../../sdk";
import { vanished } from "../find";
import type { Context } from "../process";
import { type Props, recordOf, sameValue } from "../props";
import { toMetadata, toOutputs } from "./mapping";
import { serverOf } from "./server";

/** Brings the thread's metadata from the old outputs to the new inputs; another key sends nothing. */
export async function updateThread(
  id: string,
  olds: Props,
  news: Props,
  context: Context,
): Promise<Props> {
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
    throw error instanceof NotFound ? vanished("thread", id, id) : error;
  }
  return toOutputs(news, thread, await threads.state(id));
}

/** Agent servers only lay members over what is there: one that is given up is set to null. */
function changedMetadata(olds: Props, news: Props): Record<string, unknown> {
  const wanted = toMetadata(news);
  const givenUp = Object.keys(recordOf(olds["metadata"])).filter((key) => !(key in wanted));
  return { ...wanted, ...Object.fromEntries(givenUp.map((key) => [key, null])) };
}
