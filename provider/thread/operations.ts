import { ConnectionError, NotFound, type RequestError, StatusError, type Thread } from "../../sdk";
import { messageOf } from "../../shared/errors";
import type { Context } from "../kind/context";
import { defineLifecycle, type Found } from "../kind/define-lifecycle";
import { goneError, isLaterCreate } from "../kind/find";
import { known } from "../arguments/decode";
import { type Props, sameValue, UNKNOWN } from "../arguments/props";
import { KINDS } from "../kinds";
import { createThread } from "./create";
import { type Declared, difference, LOSS, threadArguments } from "./diff";
import {
  isComplete,
  OBSERVED_NAMES,
  toInputs,
  toMetadata,
  toOutputs,
  UNDECLARED,
  unsettledOutputs,
  withInputs,
} from "./mapping";
import { hold } from "./own";
import { addressOf, deploymentNow, deploymentOf, isAbandoned, isSilence, serverOf } from "./server";

/** The lifecycle of a `Thread`, which lives on an agent server. */
export const threadLifecycle = defineLifecycle<Declared>(KINDS.Thread, {
  noun: "thread",
  service: "agent server",
  arguments: threadArguments.rows,
  declared: threadArguments.decode,
  state: threadArguments.decode,
  nameOf: () => undefined,
  serviceOutputs: OBSERVED_NAMES,
  unsettledOutputs,
  undeclared: UNDECLARED,
  check: (olds, news, context) => {
    const inputs = withKeptUrl(olds, withKeptDeployment(olds, news), context);
    return { inputs, problems: threadArguments.problems(inputs) };
  },
  describeReplacement: () => LOSS,
  difference: (id, olds, news, context) => {
    hold(context, id);
    return difference(olds, news);
  },
  create: createThread,
  read,
  update,
  delete: remove,
});

/**
 * The inputs with the deployment that the same URL had: the class in TypeScript finds it out, and a stack that goes over
 * to a program in another language shows no change.
 */
function withKeptDeployment(olds: Props, news: Props): Props {
  const { deploymentId, deploymentUrl } = olds;
  const isKept =
    news["deploymentId"] === undefined &&
    typeof deploymentId === "string" &&
    sameValue(deploymentUrl, news["deploymentUrl"]);
  return isKept ? { ...news, deploymentId } : news;
}

/**
 * The inputs with the URL of a deployment that changes and keeps it: the engine takes each output of what changes for
 * unknown at a preview, and would show a change of the thread.
 */
function withKeptUrl(olds: Props, news: Props, { memory }: Context): Props {
  const { deploymentUrl, deploymentId } = news;
  if (deploymentUrl !== UNKNOWN || typeof deploymentId !== "string") return news;
  const kept = memory.keptUrls.get(deploymentId);
  const isSame = kept !== undefined && kept === olds["deploymentUrl"];
  return isSame ? { ...news, deploymentUrl: kept } : news;
}

/** The thread is gone too where the deployment of its agent server is. */
async function read(id: string, olds: Declared, context: Context): Promise<Found | undefined> {
  if (addressOf(olds) === "") throw addressNeeded(id);
  const { threads } = serverOf(olds, context.clock);
  const isGet = olds.props["threadId"] === undefined;
  let thread: Thread;
  try {
    thread = await threads.get(id);
    if (isLaterCreate(olds.props, thread.created_at)) return undefined;
  } catch (error) {
    const isGone = error instanceof NotFound || (await isAbandoned(error, olds, context));
    if (!isGone) throw error;
    if (!isGet) return undefined;
    throw new Error(`get thread '${id}': it does not exist at ${addressOf(olds)}`, {
      cause: error,
    });
  }
  // A 404 to this means that the server does not have the thread's graph.
  const state = await threads.state(id);
  const inputs = toInputs(olds, thread);
  return { inputs, outs: toOutputs(inputs, thread, state) };
}

/** An import, and a read without a state, name the id alone. */
function addressNeeded(id: string): Error {
  return new Error(
    `get thread '${id}': the id alone does not say on which agent server the thread is, so that it can't be imported; ` +
      "read it with Thread.get and its deploymentUrl, or declare a Thread with copyFrom, which is a copy of it",
  );
}

/** Sends nothing where the metadata is the same: the server may not accept the new key yet, or the old one any more. */
async function update(
  id: string,
  olds: Declared,
  news: Declared,
  context: Context,
): Promise<Props> {
  const deployment = deploymentOf(news, context, olds.props);
  if (isComplete(olds) && sameValue(olds.metadata, news.metadata))
    return { ...deployment, ...withInputs(olds, news) };
  const { threads } = serverOf(news, context.clock);
  const wanted = changedMetadata(olds, news);
  let thread: Thread;
  try {
    thread = await threads.get(id);
    if (isLaterCreate(olds.props, thread.created_at)) throw goneError("thread", id, id);
    const isMissing = Object.entries(wanted).some(
      ([key, value]) => !sameValue(thread.metadata[key], value),
    );
    if (isMissing) thread = await threads.update(id, { metadata: wanted });
  } catch (error) {
    throw error instanceof NotFound ? goneError("thread", id, id) : error;
  }
  const state = await threads.state(id);
  return { ...deployment, ...toOutputs(news.props, thread, state) };
}

/** Agent servers merge metadata into what they have, so a removed member is set to null. */
function changedMetadata(olds: Declared, news: Declared): Record<string, unknown> {
  const wanted = toMetadata(news);
  const removed = Object.keys(known(olds.metadata) ?? {}).filter((key) => !(key in wanted));
  return { ...wanted, ...Object.fromEntries(removed.map((key) => [key, null])) };
}

/**
 * The deployment may be gone before its threads (replaced, it is deleted before them), and not every server offers a
 * deletion: both are success with a warning. A server that does not respond while its deployment exists may only be
 * restarting: that is an error.
 */
async function remove(id: string, olds: Declared, context: Context): Promise<void> {
  // A forced replacement asks for no diff before it.
  hold(context, id);
  const { threads } = serverOf(olds, context.clock);
  try {
    // A thread that cannot be read is not deleted: the id may be that of another create's thread by now.
    const { created_at: createdAt } = await threads.get(id);
    if (isLaterCreate(olds.props, createdAt))
      return context.log.warn(
        `keeps thread ${id}: its own was deleted, and another create has taken this id since`,
      );
    await threads.delete(id);
  } catch (error) {
    const why = isSilence(error)
      ? await whyAbandoned(error, olds, context)
      : whyRefused(error, addressOf(olds));
    if (why === undefined) throw error;
    context.log.warn(`thread ${id} was not deleted: ${why}`);
  }
}

function whyRefused(error: unknown, address: string): string | undefined {
  if (error instanceof NotFound) return `it no longer exists at ${address}`;
  if (error instanceof StatusError && error.status === 405)
    return `the agent server at ${address} does not offer a deletion; the thread stays there`;
  return undefined;
}

/** Throws where the agent server may respond again. */
async function whyAbandoned(
  silence: RequestError,
  olds: Declared,
  context: Context,
): Promise<string | undefined> {
  const address = addressOf(olds);
  const now = await deploymentNow(olds, context).catch((error: unknown) => {
    const reason = messageOf(error);
    throw keptError(
      silence,
      `could not determine whether its deployment still exists: ${reason}`,
      context,
    );
  });
  if (now === "exists") throw keptError(silence, "its deployment still exists", context);
  if (now === "leaving") return `the deployment at ${address} is being deleted`;
  if (now === "gone") return `the deployment at ${address} no longer exists`;
  const isDead = silence instanceof ConnectionError && silence.neverSent;
  return isDead ? `nothing responds at ${address}` : undefined;
}

function keptError(silence: RequestError, because: string, { urn = "<urn>" }: Context): Error {
  return new Error(
    `${silence.message}; ${because}; run the same command again when the agent server responds, ` +
      `or remove the thread from the state with \`pulumi state delete '${urn}'\``,
    { cause: silence },
  );
}
