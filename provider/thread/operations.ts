import { type AgentServer, NotFound, StatusError, type Thread } from "../../sdk";
import { deploymentOf, isLost, withKeptDeployment } from "../agent-server/deployment";
import type { Place } from "../agent-server/import-id";
import { deleteOnServer, readOnServer } from "../agent-server/recorded";
import { addressOf, importServerOf, refuseOtherUser, serverOf } from "../agent-server/server";
import type { Context } from "../resource/context";
import { defineLifecycle, type Found } from "../resource/define-lifecycle";
import { findSettled, goneError, isLaterCreate, isTaken } from "../resource/find";
import { known } from "../arguments/decode";
import { withIgnored } from "../arguments/property-path";
import { present, type Props, sameValue } from "../arguments/props";
import { keptOutputs } from "../arguments/reported";
import { RESOURCE_TYPES } from "../resource-types";
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
} from "./mapping";
import { hold } from "./own";

const { noun: NOUN, endpoint } = RESOURCE_TYPES.Thread;

/** The lifecycle of a `Thread`, which lives on an agent server. */
export const threadLifecycle = defineLifecycle<Declared>(RESOURCE_TYPES.Thread, {
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

function read(id: string, olds: Declared, context: Context): Promise<Found | undefined> {
  const reading = {
    noun: NOUN,
    endpoint,
    instead:
      "a program reads it with Thread.get, or declares a Thread with copyFrom, which is a copy of it",
    importFrom: importThread,
    find: findThread,
    toFound,
  };
  return readOnServer(reading, id, olds, context);
}

/** A 404 to its state means that the server does not have the thread's graph. */
async function toFound({ threads }: AgentServer, olds: Declared, thread: Thread): Promise<Found> {
  const state = await threads.state(thread.thread_id);
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
    return {
      ...deployment,
      ...keptOutputs(threadArguments, OBSERVED_NAMES, olds.props, news.props),
    };
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

/** A deployment that is replaced is deleted before its threads, and not every server offers a deletion: success with a warning. */
function remove(id: string, olds: Declared, context: Context): Promise<void> {
  // A forced replacement asks for no diff before it.
  hold(context, id);
  const { log } = context;
  const removeThread = async (server: AgentServer): Promise<void> => {
    const thread = await findThread(server, id, context);
    if (thread && isTaken(NOUN, { id, log }, olds.props, thread.created_at)) return;
    await server.threads.delete(id);
  };
  const whyKept = (error: unknown) => whyRefused(error, addressOf(olds));
  return deleteOnServer(NOUN, id, olds, context, removeThread, whyKept);
}

function whyRefused(error: unknown, address: string): string | undefined {
  if (error instanceof NotFound) return `it no longer exists at ${address}`;
  if (error instanceof StatusError && error.status === 405)
    return `the agent server at ${address} does not offer a deletion; the thread stays there`;
  return undefined;
}
