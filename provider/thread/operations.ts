import { type AgentServer, NotFound, StatusError, type Thread } from "../../sdk";
import { isLost, withKeptDeployment } from "../agent-server/deployment";
import {
  deleteOnServer,
  type Reading,
  readOnServer,
  updateOnServer,
} from "../agent-server/recorded";
import { graphProblems, serverToAsk } from "../agent-server/preview";
import { addressOf, deleteFound, findOnServer } from "../agent-server/server";
import type { Context } from "../resource/context";
import { defineLifecycle, previewSignal, type RemoteCheck } from "../resource/define-lifecycle";
import { isTaken } from "../resource/find";
import { isIndeterminate, sendChange } from "../resource/indeterminate-update";
import { withLowerCase } from "../arguments/forms";
import { known } from "../arguments/decode";
import type { Problem } from "../arguments/problems";
import { withIgnored } from "../arguments/property-path";
import { isEmpty, membersOf, type Props, sameValue } from "../arguments/props";
import { RESOURCE_TYPES } from "../resource-types";
import { createThread, findUnconfirmed } from "./create";
import { type Declared, difference, LOSS, threadArguments } from "./diff";
import {
  declaredBy,
  isComplete,
  OBSERVED_NAMES,
  toInputs,
  toMetadata,
  toOutputs as outputsOf,
  UNDECLARED,
  unsettledOutputs,
} from "./mapping";
import { hold } from "./own";

const { noun: NOUN } = RESOURCE_TYPES.Thread;

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
    const inputs = withLowerCase(withKeptDeployment(olds, news, context), ["copyFrom"]);
    return { inputs, problems: threadArguments.problems(inputs) };
  },
  refusalsOf: [serverRefusals],
  describeReplacement: () => LOSS,
  difference: (id, olds, news, context) => {
    hold(context, id);
    return difference(olds, news, isLost(olds, news, context));
  },
  create: createThread,
  read: (...args) => readOnServer(READING, ...args),
  update,
  delete: remove,
  findUnconfirmed,
});

/** A source or a new graph that the server does not have: the create would fail once a replacement has deleted the former thread. */
async function serverRefusals(...[olds, inputs, context]: Parameters<RemoteCheck<Problem>>) {
  const [former, news] = [threadArguments.decode(olds), threadArguments.decode(inputs)];
  const server = serverToAsk(news, context);
  if (server === undefined) return [];
  return [
    ...(await sourceProblems(server, former, news)),
    ...(isEmpty(olds) ? [] : await graphProblems(server, former, news, context)),
  ];
}

async function sourceProblems({ threads }: AgentServer, former: Declared, news: Declared) {
  const source = known(news.copyFrom);
  const isSame = source === known(former.copyFrom) && addressOf(news) === addressOf(former);
  if (source === undefined || isSame) return [];
  const read = threads.get(source, { signal: previewSignal() });
  // A gateway without its server says 404 too.
  const isMissing = (error: unknown) => error instanceof NotFound && error.detail.includes(source);
  const reason = `does not exist at ${addressOf(news)}; name a thread on the same agent server`;
  return (await read.then(() => false, isMissing)) ? [{ property: "copyFrom", reason }] : [];
}

const READING: Reading<Declared, Thread> = {
  row: RESOURCE_TYPES.Thread,
  table: threadArguments,
  observedNames: OBSERVED_NAMES,
  instead:
    "a program reads it with Thread.get, or declares a Thread with copyFrom, which is a copy of it",
  find: (server, id, context) => findOnServer(server, context, () => server.threads.get(id)),
  allInputs: declaredBy,
  toOutputs,
  async toFound(server, olds, thread, context) {
    const inputs = toInputs(olds, thread);
    return { inputs, outs: await outputsAfter(olds, server, inputs, thread, context) };
  },
};

async function toOutputs({ threads }: AgentServer, inputs: Props, thread: Thread): Promise<Props> {
  return outputsOf(inputs, thread, await threads.state(thread.thread_id));
}

/** The outputs of a thread that the state has. A 404 to its state means that the server does not have the thread's graph. */
async function outputsAfter(
  olds: Declared,
  server: AgentServer,
  inputs: Props,
  thread: Thread,
  { log }: Context,
): Promise<Props> {
  try {
    return await toOutputs(server, inputs, thread);
  } catch (error) {
    if (!(error instanceof NotFound && isComplete(olds))) throw error;
    log.warn(
      `keeps the recorded checkpointId: ${error.message}; deploy a revision with that graph`,
    );
    return { ...outputsOf(inputs, thread), ...membersOf(olds.props, ["checkpointId"]) };
  }
}

/** Changes nothing where the metadata is the same: the server may not accept the new key yet, or the old one any more. */
function update(id: string, olds: Declared, news: Declared, context: Context): Promise<Props> {
  const isWhole = isComplete(olds);
  const isSame = isWhole && sameValue(olds.metadata, news.metadata) && !isIndeterminate(olds.props);
  const send = async (server: AgentServer, found: Thread): Promise<Props> => {
    // What a create has not sent yet is no value of another client.
    const observed = isWhole ? withIgnored(news.props, toInputs(news, found)) : news.props;
    const wanted = changedMetadata(olds, threadArguments.decode(observed));
    const isMissing = Object.entries(wanted).some(
      ([key, value]) => !sameValue(found.metadata[key], value),
    );
    const outputsAt = (thread: Thread) => outputsAfter(olds, server, news.props, thread, context);
    if (!isMissing) return outputsAt(found);
    return sendChange(async () => outputsAt(await server.threads.update(id, { metadata: wanted })));
  };
  return updateOnServer(READING, { id, olds, news }, context, !isSame && send);
}

/** Agent servers merge metadata into what they have, so a removed member is set to null. */
function changedMetadata(olds: Declared, news: Declared): Record<string, unknown> {
  const wanted = toMetadata(news);
  const removed = Object.keys(known(olds.metadata) ?? {}).filter(
    (key) => !Object.hasOwn(wanted, key),
  );
  return { ...wanted, ...Object.fromEntries(removed.map((key) => [key, null])) };
}

/** A deployment that is replaced is deleted before its threads, and not every server offers a deletion: success with a warning. */
function remove(id: string, olds: Declared, context: Context): Promise<void> {
  // A forced replacement asks for no diff before it.
  hold(context, id);
  const { log } = context;
  const removeThread = async (server: AgentServer): Promise<void> => {
    const find = () => READING.find(server, id, context);
    const thread = await find();
    if (thread && isTaken(NOUN, { id, log }, olds.props, thread.created_at)) return;
    const isDeleted = await deleteFound(server.threads.delete(id), thread, find);
    if (!isDeleted) log.warn(`thread ${id} no longer exists at ${addressOf(olds)}`);
  };
  const whyKept = (error: unknown) => whyRefused(error, addressOf(olds));
  return deleteOnServer(NOUN, id, olds, context, removeThread, whyKept);
}

function whyRefused(error: unknown, address: string): string | undefined {
  if (error instanceof StatusError && error.status === 405)
    return `the agent server at ${address} does not offer a deletion; the thread stays there`;
  return undefined;
}
