import { type AgentServer, NotFound, StatusError, type Thread } from "../../sdk";
import {
  deploymentOf,
  isAbandoned,
  isLost,
  whyAbandoned,
  withKeptDeployment,
} from "../agent-server/deployment";
import { addressNeeded, parseImportId, type Place } from "../agent-server/import-id";
import {
  addressOf,
  importServerOf,
  isSilence,
  refuseOtherUser,
  serverOf,
} from "../agent-server/server";
import type { Context } from "../kind/context";
import { defineLifecycle, type Found } from "../kind/define-lifecycle";
import { findSettled, goneError, isLaterCreate, isTaken } from "../kind/find";
import { known } from "../arguments/decode";
import { withIgnored } from "../arguments/property-path";
import { present, type Props, sameValue } from "../arguments/props";
import { KINDS } from "../kinds";
import { createThread } from "./create";
import { type Declared, difference, LOSS, threadArguments } from "./diff";
import {
  declaredBy,
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

const ENDPOINT = "threads";

const NOUN = "thread";

/** The lifecycle of a `Thread`, which lives on an agent server. */
export const threadLifecycle = defineLifecycle<Declared>(KINDS.Thread, {
  noun: NOUN,
  service: "agent server",
  arguments: threadArguments.rows,
  declared: threadArguments.decode,
  state: threadArguments.decode,
  nameOf: () => undefined,
  serviceOutputs: OBSERVED_NAMES,
  unsettledOutputs,
  undeclared: UNDECLARED,
  check: (olds, news, context) => {
    const inputs = withKeptDeployment(olds, news, context);
    return { inputs, problems: threadArguments.problems(inputs) };
  },
  describeReplacement: () => LOSS,
  difference: (id, olds, news, context) => {
    hold(context, id);
    return difference(olds, news, isLost(olds, news, context));
  },
  create: createThread,
  read,
  update,
  delete: remove,
});

/** The thread is gone too where the deployment of its agent server is. */
async function read(id: string, olds: Declared, context: Context): Promise<Found | undefined> {
  const place = parseImportId(id, ENDPOINT);
  if (place !== undefined) return importThread(place, olds, context);
  if (addressOf(olds) === "")
    throw addressNeeded(
      NOUN,
      ENDPOINT,
      id,
      "a program reads it with Thread.get, or declares a Thread with copyFrom, which is a copy of it",
    );
  const server = serverOf(olds, context);
  const { threads } = server;
  const isGet = olds.props["threadId"] === undefined;
  const thread = await findThread(server, id, context).catch(async (error: unknown) => {
    if (await isAbandoned(error, olds, context)) return undefined;
    throw error;
  });
  if (thread === undefined && isGet)
    throw new Error(`get thread '${id}': it does not exist at ${addressOf(olds)}`);
  if (
    thread === undefined ||
    isTaken(NOUN, { id, log: context.log }, olds.props, thread.created_at)
  )
    return undefined;
  // A 404 to this means that the server does not have the thread's graph.
  const state = await threads.state(id);
  const inputs = toInputs(olds, thread);
  return { inputs, outs: toOutputs(inputs, thread, state) };
}

/** The thread of a state; undefined when it is gone. */
function findThread(
  server: AgentServer,
  id: string,
  { clock }: Context,
): Promise<Thread | undefined> {
  return findSettled(clock, () => server.threads.get(id));
}

/** Reads a thread of which nothing is declared: its graph and its metadata become arguments, its states stay its own. */
async function importThread(place: Place, olds: Declared, context: Context): Promise<Found> {
  const { deploymentUrl, id } = place;
  const inputs = { ...present(olds.props), deploymentUrl };
  const { threads } = importServerOf(threadArguments.decode(inputs), context);
  const thread = await threads.get(id);
  const all = { ...inputs, ...declaredBy(thread) };
  return { id, inputs: all, outs: toOutputs(all, thread, await threads.state(id)) };
}

/** Changes nothing where the metadata is the same: the server may not accept the new key yet, or the old one any more. */
async function update(
  id: string,
  olds: Declared,
  news: Declared,
  context: Context,
): Promise<Props> {
  const deployment = deploymentOf(news, context, olds.props);
  await refuseOtherUser(`${NOUN} '${id}'`, [olds, news], context, ({ threads }) => threads.get(id));
  if (isComplete(olds) && sameValue(olds.metadata, news.metadata))
    return { ...deployment, ...withInputs(olds, news) };
  const server = serverOf(news, context);
  const { threads } = server;
  const found = await findThread(server, id, context);
  if (found === undefined || isLaterCreate(olds.props, found.created_at))
    throw goneError(NOUN, id, id);
  const own = withIgnored(news.props, toInputs(news, found));
  const wanted = changedMetadata(olds, threadArguments.decode(own));
  const isMissing = Object.entries(wanted).some(
    ([key, value]) => !sameValue(found.metadata[key], value),
  );
  const thread = isMissing ? await threads.update(id, { metadata: wanted }) : found;
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
  const server = serverOf(olds, context);
  const { log } = context;
  try {
    const thread = await findThread(server, id, context);
    if (thread && isTaken(NOUN, { id, log }, olds.props, thread.created_at)) return;
    await server.threads.delete(id);
  } catch (error) {
    const why = isSilence(error)
      ? await whyAbandoned(error, olds, context)
      : whyRefused(error, addressOf(olds));
    if (why === undefined) throw error;
    log.warn(`thread ${id} was not deleted: ${why}`);
  }
}

function whyRefused(error: unknown, address: string): string | undefined {
  if (error instanceof NotFound) return `it no longer exists at ${address}`;
  if (error instanceof StatusError && error.status === 405)
    return `the agent server at ${address} does not offer a deletion; the thread stays there`;
  return undefined;
}
