import { ConnectionError, NotFound, type RequestError, StatusError } from "../../sdk";
import type { Context } from "../host/context";
import type { Props } from "../inputs/props";
import { addressOf, deploymentNow, isSilence, serverOf } from "./server";
import { messageOf } from "../../shared/errors";

/**
 * Deletes the thread. Its deployment may be gone before it (a replaced one is deleted before its threads are), and not
 * every server offers a deletion: both are fine, with a warning. A server that does not answer while its deployment is
 * there is not: it may only be restarting.
 */
export async function deleteThread(id: string, props: Props, context: Context): Promise<void> {
  try {
    await serverOf(props, context.clock).threads.delete(id);
  } catch (error) {
    const why = isSilence(error)
      ? await whyAbandoned(error, props, context)
      : whyRefused(error, addressOf(props));
    if (why === undefined) throw error;
    context.log.warn(`thread ${id} was not deleted: ${why}`);
  }
}

function whyRefused(error: unknown, address: string): string | undefined {
  if (error instanceof NotFound) return `it is not at ${address} any more`;
  if (error instanceof StatusError && error.status === 405)
    return `the agent server at ${address} does not offer it; the thread stays there`;
  return undefined;
}

/** Throws where the agent server may answer again. */
async function whyAbandoned(
  silence: RequestError,
  props: Props,
  context: Context,
): Promise<string | undefined> {
  const address = addressOf(props);
  const now = await deploymentNow(props, context).catch((error: unknown) => {
    const reason = messageOf(error);
    throw kept(silence, `whether its deployment is still there can't be told: ${reason}`, context);
  });
  if (now === "there") throw kept(silence, "its deployment is still there", context);
  if (now === "leaving") return `the deployment at ${address} is being deleted`;
  if (now === "gone") return `no deployment is at ${address} any more`;
  const isDead = silence instanceof ConnectionError && silence.neverSent;
  return isDead ? `nothing answers at ${address}` : undefined;
}

function kept(silence: RequestError, because: string, { urn = "<urn>" }: Context): Error {
  return new Error(
    `${silence.message}; ${because}; run the same command again when the agent server answers, ` +
      `or let go of the thread with \`pulumi state delete '${urn}'\``,
    { cause: silence },
  );
}
