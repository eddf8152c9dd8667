import {
  type AgentServer,
  type Assistant,
  type AssistantVersion,
  isAmbiguous,
  NotFound,
} from "../../sdk";
import { defaultAssistantId, type UpdateAssistant } from "../../sdk/schema";
import { recordOf } from "../../shared/records";
import {
  deploymentOf,
  isAbandoned,
  whyAbandoned,
  withKeptDeployment,
} from "../agent-server/deployment";
import { addressNeeded, importIdOf, parseImportId } from "../agent-server/import-id";
import { ownId } from "../agent-server/own-id";
import { addressOf, findOnceReady, isSilence, serverOf } from "../agent-server/server";
import type { Context } from "../kind/context";
import { createUnique } from "../kind/create-unique";
import { defineLifecycle, type Found as Read } from "../kind/define-lifecycle";
import { goneError, isLaterCreate } from "../kind/find";
import { identityOf } from "../kind/urn";
import { known } from "../arguments/decode";
import { refuse } from "../arguments/problems";
import { membersOf, present, type Props } from "../arguments/props";
import { KINDS } from "../kinds";
import {
  assistantArguments,
  type Declared,
  describeCreate,
  difference,
  LOSS,
  sentNames,
} from "./diff";
import { candidateOf, deleteLeftovers, gateProblems, passGate, toCandidate } from "./gate";
import { schemaWarnings } from "./schema-warnings";
import { findAssistant, type Found } from "./server";
import {
  allInputs,
  type Change,
  differences,
  MARK,
  markOf,
  OBSERVED_NAMES,
  patchOf,
  toCreateRequest,
  toInputs,
  toOutputs,
  UNDECLARED,
  VALUES,
} from "./values";

const NOUN = "assistant";
const ENDPOINT = "assistants";

/** The lifecycle of an `Assistant`, which lives on an agent server. */
export const assistantLifecycle = defineLifecycle<Declared>(KINDS.Assistant, {
  noun: NOUN,
  service: "agent server",
  arguments: assistantArguments.rows,
  declared: assistantArguments.decode,
  state: assistantArguments.decode,
  nameOf: ({ name }) => known(name),
  secretsOf: ({ apiKey }) => [known(apiKey)],
  serviceOutputs: OBSERVED_NAMES,
  unsettledOutputs: (olds, news) =>
    sentNames(olds, news).length > 0 ? ["version", "updatedAt"] : [],
  undeclared: UNDECLARED,
  check: (olds, news, context) => {
    const inputs = withDefaults(olds, withKeptDeployment(olds, news, context), context);
    const message = describeCreate(assistantArguments.decode(inputs));
    return { inputs, problems: assistantArguments.problems(inputs), message };
  },
  refusalsOf: gateProblems,
  warningsOf: schemaWarnings,
  describeReplacement: () => LOSS,
  difference: (_id, olds, news) => difference(olds, news),
  create,
  read,
  update,
  delete: remove,
});

/** The inputs with an id, which stays where the resource has one, and with a name. */
function withDefaults(olds: Props, news: Props, context: Context): Props {
  const { assistantId = olds["assistantId"] ?? ownId(context, NOUN), name, activeVersion } = news;
  const isNamed = (name ?? activeVersion ?? undefined) !== undefined;
  return {
    ...news,
    assistantId: typeof assistantId === "string" ? assistantId.toLowerCase() : assistantId,
    ...(!isNamed && { name: identityOf(context.urn ?? "").logicalName }),
  };
}

function idOf({ props }: Declared): string {
  return String(props["assistantId"]);
}

async function create(news: Declared, context: Context): Promise<{ id: string; outs: Props }> {
  const subject = known(news.name) ?? idOf(news);
  refuse(`create assistant '${subject}'`, assistantArguments.problems(news.props));
  const server = serverOf(news, context.clock);
  const id = idOf(news);
  const place = { deploymentUrl: addressOf(news), id };
  const find = () =>
    findOnceReady(news, context, (signal) => findAssistant(server, id, { signal }));
  const isGated = known(news.gate) !== undefined && known(news.activeVersion) === undefined;
  if (isGated && (await find()) === undefined)
    await passGate(server, news, toCandidate(news.props), context);
  const assistant = await createUnique<Found | Assistant>(context, {
    noun: NOUN,
    client: server,
    inputs: news.props,
    key: id,
    find,
    post: () => post(server, news, context),
    createdAt: ({ created_at }) => created_at,
    idOf: () => id,
    importId: importIdOf(place, ENDPOINT),
    differences: (found, inputs) => [
      ...differences(found, inputs),
      ...(found.metadata[MARK] === markOf(context.urn) ? [] : ["the mark of this resource"]),
    ],
    immutable: [],
    adoptsExisting: known(news.adoptExisting) === true,
    update: (found) => adopt(server, found, news, context),
    exists: `exists at ${place.deploymentUrl}`,
    adoption: ["set adoptExisting: true to adopt it with its threads and crons"],
    otherwise: "set another assistantId",
  });
  await warnOfGraph(server, assistant, context);
  return { id, outs: { ...deploymentOf(news, context), ...toOutputs(news.props, assistant) } };
}

async function post(server: AgentServer, news: Declared, { urn }: Context): Promise<Assistant> {
  const id = idOf(news);
  const version = known(news.activeVersion);
  if (version !== undefined)
    throw new Error(
      `create assistant '${id}': it does not exist, so that it has no version ${version}; remove activeVersion until it has been created`,
    );
  return server.assistants.create({ ...toCreateRequest(news.props, urn), assistant_id: id });
}

/** Brings what a create adopts to the declared values, and marks it as its own. */
async function adopt(
  server: AgentServer,
  found: Assistant,
  news: Declared,
  context: Context,
): Promise<Assistant> {
  const { urn, log } = context;
  const other = found.metadata[MARK];
  if (typeof other === "string" && other !== markOf(urn))
    log.warn(
      `assistant ${idOf(news)} was managed as ${other}; that resource must be removed there`,
    );
  const inputs = await pinned(server, news, known(news.activeVersion));
  const metadata = { ...recordOf(inputs["metadata"]), [MARK]: markOf(urn) };
  const names = Object.keys({ ...present(membersOf(inputs, VALUES)), metadata });
  const change = { names, inputs: { ...inputs, metadata } };
  return send(server, found, change, (body) => gated(server, found, news, body, context));
}

async function read(id: string, olds: Declared, context: Context): Promise<Read | undefined> {
  const place = parseImportId(id, ENDPOINT);
  if (place !== undefined) {
    const { deploymentUrl } = place;
    const at = assistantArguments.decode({ ...olds.props, deploymentUrl });
    const found = await read(place.id, at, context);
    return found && { id: place.id, ...found };
  }
  if (addressOf(olds) === "")
    throw addressNeeded(NOUN, ENDPOINT, id, "a program reads it with Assistant.get");
  const server = serverOf(olds, context.clock);
  if (olds.props["createdAt"] === undefined) return readUndeclared(server, id, olds);
  try {
    const found = await findAssistant(server, id);
    if (found === undefined || isLaterCreate(olds.props, found.created_at)) return undefined;
    if (found.isHidden) {
      context.log.warn(hiddenText(found));
      return { inputs: present(membersOf(olds.props, assistantArguments.names)), outs: olds.props };
    }
    const inputs = await withObservedVersion(server, olds, found);
    return { inputs, outs: toOutputs(inputs, found) };
  } catch (error) {
    if (await isAbandoned(error, olds, context)) return undefined;
    throw error;
  }
}

/** Reads one of which a state has nothing but the server: for an import, and for `get`. */
async function readUndeclared(server: AgentServer, id: string, olds: Declared): Promise<Read> {
  const found = await findAssistant(server, id);
  if (found === undefined)
    throw new Error(`get assistant '${id}': it does not exist at ${addressOf(olds)}`);
  const place = present(membersOf(olds.props, ["deploymentUrl", "apiKey", "deploymentId"]));
  const inputs = { ...allInputs(found), assistantId: found.assistant_id, ...place };
  return { inputs, outs: toOutputs(inputs, found) };
}

function hiddenText({ assistant_id: id, graph_id: graph }: Found): string {
  return (
    `keeps assistant ${id}: its agent server hides it, since the running revision has no graph '${graph}'; ` +
    "deploy a revision with that graph, or set another graphId"
  );
}

/** The inputs with what the server has; `activeVersion` is another one where the values are not those of its version. */
async function withObservedVersion(
  server: AgentServer,
  olds: Declared,
  found: Assistant,
): Promise<Props> {
  const inputs = toInputs(olds, found);
  const version = known(olds.activeVersion);
  if (version === undefined) return inputs;
  const pinnedInputs = await pinned(server, olds, version);
  const isPinned = differences(found, membersOf(pinnedInputs, PINNED)).length === 0;
  return { ...inputs, activeVersion: isPinned ? version : found.version };
}

/** The arguments that an active version sets. */
const PINNED = ["name", "description", "config", "context"];

/** The inputs with the values of a version in the place of those that it sets. */
async function pinned(
  { assistants }: AgentServer,
  declared: Declared,
  version: number | undefined,
): Promise<Props> {
  if (version === undefined) return declared.props;
  const id = idOf(declared);
  const graph = known(declared.graphId);
  const numbers: number[] = [];
  for await (const listed of assistants.listVersions(id)) {
    numbers.push(listed.version);
    if (listed.version !== version) continue;
    if (listed.graph_id === graph) return { ...declared.props, ...pinnedValues(listed) };
    throw new Error(
      `assistant ${id}: its version ${version} is of graph '${listed.graph_id}', and graphId is '${graph}'; set graphId: "${listed.graph_id}"`,
    );
  }
  throw new Error(
    `assistant ${id}: it has no version ${version}, but ${numbers.at(-1)} to ${numbers[0]}; set activeVersion to one of these`,
  );
}

function pinnedValues(version: AssistantVersion): Props {
  const { name, config, context } = allInputs({ ...version, updated_at: "" });
  return {
    name,
    description: version.description ?? "",
    config: config ?? {},
    context: context ?? {},
  };
}

/** Sends at most one PATCH, and none where nothing that the server keeps has changed. */
async function update(
  id: string,
  olds: Declared,
  news: Declared,
  context: Context,
): Promise<Props> {
  const deployment = deploymentOf(news, context, olds.props);
  const names = sentNames(olds, news);
  if (names.length === 0)
    return {
      ...deployment,
      ...UNDECLARED,
      ...news.props,
      ...membersOf(olds.props, OBSERVED_NAMES),
    };
  const server = serverOf(news, context.clock);
  const found = await findAssistant(server, id);
  if (found === undefined || isLaterCreate(olds.props, found.created_at))
    throw goneError(NOUN, known(news.name) ?? id, id);
  const version = known(news.activeVersion);
  const inputs = await pinned(server, news, version);
  const removedKeys = Object.keys(recordOf(olds.props["metadata"]));
  const all = version === undefined ? names : [...names, ...PINNED];
  const change = { names: all, inputs, removedKeys };
  const updated = await send(server, found, change, (body) =>
    gated(server, found, news, body, context),
  );
  if (names.includes("graphId")) await warnOfGraph(server, updated, context);
  return { ...deployment, ...toOutputs(news.props, updated) };
}

/** A PATCH without an answer may have arrived: it is sent again only where the assistant does not show it. */
async function send(
  server: AgentServer,
  found: Assistant,
  change: Change,
  before: (body: UpdateAssistant) => Promise<void>,
): Promise<Assistant> {
  const { assistant_id: id } = found;
  const body = patchOf(found, change);
  if (body === undefined) return found;
  await before(body);
  try {
    return await server.assistants.update(id, body);
  } catch (error) {
    if (!isAmbiguous(error)) throw error;
    const now = await findAssistant(server, id);
    if (now === undefined) throw error;
    const rest = patchOf(now, change);
    return rest === undefined ? now : server.assistants.update(id, rest);
  }
}

/** Asks the gate of what an assistant has after a change, where runs depend on it. */
async function gated(
  server: AgentServer,
  found: Assistant,
  news: Declared,
  body: UpdateAssistant,
  context: Context,
): Promise<void> {
  const candidate = candidateOf(found, body);
  if (candidate !== undefined) await passGate(server, news, candidate, context);
}

/** The JavaScript server takes any graph, and each run of the assistant then fails. */
async function warnOfGraph(
  { assistants }: AgentServer,
  { assistant_id: id, graph_id: graph }: Assistant,
  { log }: Context,
): Promise<void> {
  if (await assistants.hasGraph(id).catch(() => true)) return;
  log.warn(`the agent server has no graph '${graph}': runs of assistant ${id} fail; set graphId`);
}

async function remove(id: string, olds: Declared, context: Context): Promise<void> {
  const server = serverOf(olds, context.clock);
  const { log } = context;
  try {
    const found = await findAssistant(server, id);
    const kept = found && whyKept(found, olds);
    if (found === undefined) return;
    if (kept !== undefined) return log.warn(`keeps assistant ${id}: ${kept}`);
    if (known(olds.forceDelete) !== true) await refuseInUse(server, id);
    if (known(olds.gate) !== undefined) await deleteLeftovers(server, context);
    await server.assistants.delete(id, { deleteThreads: known(olds.deleteThreads) === true });
  } catch (error) {
    if (error instanceof NotFound) return;
    const why = isSilence(error) ? await whyAbandoned(error, olds, context) : undefined;
    if (why === undefined) throw error;
    log.warn(`assistant ${id} was not deleted: ${why}`);
  }
}

function whyKept(found: Found, olds: Declared): string | undefined {
  const { assistant_id: id, graph_id: graph, metadata } = found;
  if (id === defaultAssistantId(graph) || metadata["created_by"] === "system")
    return `it is the default assistant of graph '${graph}', which the server itself creates; the values of this resource stay in it`;
  if (isLaterCreate(olds.props, found.created_at))
    return "its own was deleted, and another create has taken this id since";
  return undefined;
}

/** A delete takes the crons with it, and leaves runs without their assistant; no server refuses it. */
async function refuseInUse({ assistants, threads }: AgentServer, id: string): Promise<void> {
  const busy = await threads.count({ status: "busy", metadata: { assistant_id: id } });
  const crons = await assistants.countCrons(id);
  if (busy + crons === 0) return;
  throw new Error(
    `delete assistant '${id}': in use (busy threads: ${busy}, crons: ${crons}); wait for its runs and delete the crons, or set forceDelete: true, run \`pulumi up\`, and delete it then`,
  );
}
