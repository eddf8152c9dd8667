import { ConnectionError, NotFound, StatusError } from "../../sdk";
import type { Context } from "../process";
import type { Props } from "../props";
import { addressOf, isAbandoned, serverOf } from "./server";

/**
 * Deletes the thread. Its deployment may be gone before it (a replaced one is deleted before its threads are), and not
 * every server offers a deletion: both are fine, with a warning.
 */
export async function deleteThread(id: string, props: Props, context: Context): Promise<void> {
  try {
    await serverOf(props, context.clock).threads.delete(id);
  } catch (error) {
    const why = await harmless(error, props, context);
    if (why === undefined) throw error;
    context.log.warn(`thread ${id} was not deleted: ${why}`);
  }
}

async function harmless(
  error: unknown,
  props: Props,
  context: Context,
): Promise<string | undefined> {
  const address = addressOf(props);
  if (error instanceof NotFound) return `it is not at ${address} any more`;
  if (error instanceof StatusError && error.status === 405)
    return `the agent server at ${address} does not offer it; the thread stays there`;
  if (error instanceof ConnectionError && error.neverSent) return `nothing answers at ${address}`;
  if (await isAbandoned(error, props, context)) return `no deployment is at ${address} any more`;
  return undefined;
}
