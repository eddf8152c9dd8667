import { NotFound } from "../../sdk";
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
  try {
    const thread = await threads.get(id);
    const wanted = changedMetadata(olds, news);
    const lacking = Object.entries(wanted).some(
      ([key, value]) => !sameValue(thread.metadata[key], value),
    );
    const updated = lacking ? await threads.update(id, { metadata: wanted }) : thread;
    return toOutputs(news, updated, await threads.state(id));
  } catch (error) {
    throw error instanceof NotFound ? vanished("thread", id, id) : error;
  }
}

/** Agent servers only lay members over what is there: one that is given up is set to null. */
function changedMetadata(olds: Props, news: Props): Record<string, unknown> {
  const wanted = toMetadata(news);
  const givenUp = Object.keys(recordOf(olds["metadata"])).filter((key) => !(key in wanted));
  return { ...wanted, ...Object.fromEntries(givenUp.map((key) => [key, null])) };
}
