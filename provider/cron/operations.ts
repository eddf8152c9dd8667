import { type AgentServer, type AnyServerInfo, type Cron, isAmbiguous, NotFound } from "../../sdk";
import { messageOf } from "../../shared/errors";
import {
  deploymentOf,
  deploymentServing,
  isLost,
  withKeptDeployment,
} from "../agent-server/deployment";
import { importIdOf, type Place } from "../agent-server/import-id";
import { deleteOnServer, readOnServer } from "../agent-server/recorded";
import { addressOf, findOnceReady, importServerOf, serverOf } from "../agent-server/server";
import { known } from "../arguments/decode";
import { type Problem, refuse } from "../arguments/problems";
import { withIgnored } from "../arguments/property-path";
import {
  hasUnknown,
  membersOf,
  present,
  type Props,
  sameValue,
  visibleOf,
} from "../arguments/props";
import { keptOutputs } from "../arguments/reported";
import type { Context } from "../resource/context";
import { createUnique } from "../resource/create-unique";
import { defineLifecycle, type Found, type RemoteCheck } from "../resource/define-lifecycle";
import { ownershipOf, isOwnBy } from "../resource/ownership";
import { findSettled, goneError, isLaterCreate, isTaken } from "../resource/find";
import { InitializationFailure } from "../resource/initialization-failure";
import { RESOURCE_TYPES } from "../resource-types";
import { cronArguments, type Declared, describeFiring, difference, LOSS, problemsOf } from "./diff";
import { scheduleWarning } from "./schedule";
import {
  allInputs,
  differences,
  ENDPOINT,
  MARK,
  markOf,
  NOUN,
  OBSERVED_NAMES,
  patchOf,
  toCreateRequest,
  toInputs,
  toOutputs,
  UNDECLARED,
} from "./values";

/** The lifecycle of a `Cron`, which lives on an agent server. */
export const cronLifecycle = defineLifecycle<Declared>(RESOURCE_TYPES.Cron, {
  arguments: cronArguments.rows,
  declared: cronArguments.decode,
  state: cronArguments.decode,
  nameOf: () => undefined,
  secretsOf: ({ apiKey }) => [known(apiKey)],
  serviceOutputs: OBSERVED_NAMES,
  unsettledOutputs: (olds, news) =>
    isSent(olds, news) ? ["nextRunDate", "lastRunStatus", "updatedAt"] : [],
  undeclared: UNDECLARED,
  check: (olds, news, context) => {
    const inputs = withKeptDeployment(olds, news, context);
    const { schedule } = inputs;
    const declared = cronArguments.decode(inputs);
    const isSame = sameValue(olds["schedule"], schedule);
    const warning = typeof schedule === "string" && !isSame ? scheduleWarning(schedule) : undefined;
    return {
      inputs,
      problems: problemsOf(inputs),
      warnings: warning === undefined ? [] : [warning],
      message: describeFiring(declared, context.clock.now()),
    };
  },
  refusalsOf: [serverRefusals],
  describeReplacement: () => LOSS,
  difference: (_, olds, news, context) =>
    difference(olds, news, { isLost: isLost(olds, news, context), nowMs: context.clock.now() }),
  create,
  read,
  update,
  delete: remove,
});

function isSent(olds: Declared, news: Declared): boolean {
  const settings: readonly string[] = cronArguments.pathsOf("settings");
  return cronArguments.changes(olds, news).changed.some((path) => settings.includes(path));
}

/** The newest version of which it is known that an enabled cron with an end time stops all crons of the server. */
const LAST_WITH_DEFECT = [0, 16, 7];

/** What a server cannot do of the inputs, by what it says of itself. */
function problemsOn(
  { server, version, flags }: AnyServerInfo,
  { endTime, enabled }: Props,
): Problem[] {
  if (flags?.["crons"] === false)
    return [
      {
        property: "deploymentUrl",
        reason:
          server === "pulumi-agentserver"
            ? "is the local platform's built-in agent server, which runs nothing and keeps no crons; start the platform with `--agent-server real`"
            : "is an agent server that keeps no crons, by its /info; the Python server keeps them",
      },
    ];
  const numbers = (version ?? "").split(".").map(Number);
  const at = numbers.findIndex((number, index) => number !== LAST_WITH_DEFECT[index]);
  const isNewer = at !== -1 && (numbers[at] ?? 0) > (LAST_WITH_DEFECT[at] ?? 0);
  if ((endTime ?? undefined) === undefined || enabled === false || isNewer) return [];
  const reason = `is refused, since with one enabled cron that has an end time version ${version ?? "unknown"} of the agent server fires no cron at all; remove it, and set enabled: false when the time has come`;
  return [{ property: "endTime", reason }];
}

/** A preview does not wait longer for a server that may not be there yet. */
const LIMIT_MS = 3_000;

/** What the server of a new or changed cron refuses, or takes and does not do. Nothing where it does not respond. */
async function serverRefusals(...[olds, inputs, context]: Parameters<RemoteCheck<Problem>>) {
  const isSame = sameValue(visibleOf(olds), visibleOf(inputs));
  const { deploymentUrl, apiKey } = inputs;
  if (isSame || deploymentUrl === undefined || hasUnknown([deploymentUrl, apiKey])) return [];
  const server = serverOf(cronArguments.decode(inputs), context);
  const info = server.info({ signal: AbortSignal.timeout(LIMIT_MS) });
  return info.then(
    (said) => problemsOn(said, inputs),
    () => [],
  );
}

/** What a create knows. */
interface Creation {
  readonly server: AgentServer;
  readonly news: Declared;
  readonly context: Context;
}

/** The crons that carry the mark of a resource and that no other one of the state has, oldest first. */
async function marked({ server, news, context }: Creation, signal?: AbortSignal): Promise<Cron[]> {
  const found: Cron[] = [];
  const metadata = { [MARK]: markOf(context) };
  for await (const cron of server.crons.searchAll({ metadata }, { signal })) {
    const ownership = await ownershipOf(context, cron.cron_id, news.props);
    // A resource that was renamed keeps the mark of its old name.
    if (ownership.says !== "held" || ownership.by === context.urn) found.push(cron);
  }
  return found.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
}

/** The oldest of them that a PATCH can bring to the inputs. Throws where the server can't have it: others answer a search 500. */
async function oldest(creation: Creation): Promise<Cron | undefined> {
  const { server, news, context } = creation;
  const found = await findOnceReady(news, context, async (signal) => {
    refuse(taskOf(news), problemsOn(await server.info({ signal }), news.props));
    return marked(creation, signal);
  });
  return found?.find((cron) => !isOfAnother(cron, news.props));
}

function taskOf(declared: Declared): string {
  return `create cron at ${addressOf(declared)}`;
}

function isOfAnother(cron: Cron, inputs: Props): boolean {
  return differences(cron, inputs).some((name) =>
    cronArguments.immutable.some((one) => one === name),
  );
}

/**
 * Creates a cron, or adopts the one that an interrupted create of this resource made. The server chooses the id, so that a
 * POST without a response is never repeated: the next create finds what it made by its mark.
 */
async function create(news: Declared, context: Context): Promise<{ id: string; outs: Props }> {
  const inputs = news.props;
  const server = serverOf(news, context);
  const creation = { server, news, context };
  const mark = markOf(context);
  const deploymentUrl = addressOf(news);
  refuse(taskOf(news), problemsOf(inputs));
  const outsOf = (cron: Cron) => ({ ...deploymentOf(news, context), ...toOutputs(inputs, cron) });
  /** From its POST on a failure keeps the id; without the time of its create the next update sends what it lacks. */
  const incomplete = (cron: Cron, reason: string) => {
    const { createdAt: _missing, ...outs } = outsOf(cron);
    return new InitializationFailure(cron.cron_id, outs, [reason]);
  };
  let isPosted = false;
  const cron = await createUnique<Cron>(context, {
    noun: NOUN,
    client: server,
    inputs,
    key: mark,
    find: async () => {
      const found = await oldest(creation);
      if (found === undefined && isPosted) throw new Error("the agent server does not show it yet");
      return found;
    },
    beforePost: () => deleteTwins(creation),
    post: () => {
      isPosted = true;
      return server.crons.create(toCreateRequest(inputs, mark), { threadId: known(news.threadId) });
    },
    createdAt: ({ created_at }) => created_at,
    idOf: ({ cron_id }) => cron_id,
    importId: (id) => importIdOf({ deploymentUrl, id }, ENDPOINT),
    differences,
    immutable: [],
    adoptsExisting: known(news.adoptExisting) === true,
    update: (found) =>
      send(server, found, { olds: inputs, inputs, mark }).catch((error: unknown) => {
        throw incomplete(found, messageOf(error));
      }),
    exists: `carries the mark of this resource at ${deploymentUrl}`,
    adoption: ["set adoptExisting: true to adopt it"],
    otherwise: "delete it there, or rename this resource",
  });
  await deleteTwins(creation, cron).catch((error: unknown) => {
    const reason = messageOf(error);
    context.log.warn(
      `whether another cron carries the mark of ${cron.cron_id} is not known: ${reason}`,
    );
  });
  const different = differences(cron, inputs);
  if (different.length > 0) throw incomplete(cron, notDone(cron.cron_id, different));
  return { id: cron.cron_id, outs: outsOf(cron) };
}

function notDone(id: string, names: readonly string[]): string {
  return `the agent server answered 200 for cron ${id}, and it has another value of ${names.join(", ")}; its version may not know it: remove it from the program`;
}

/**
 * Deletes what interrupted creates of a resource have left besides the cron that stays: two may have met, or its assistant has
 * changed since. What the state does not prove to be of one of them is named, and stays.
 */
async function deleteTwins(creation: Creation, kept?: Cron): Promise<void> {
  const { server, news, context } = creation;
  const besides = kept === undefined ? "" : ` besides ${kept.cron_id}`;
  for (const twin of await marked(creation)) {
    const id = twin.cron_id;
    if (id === kept?.cron_id) continue;
    const ownership = await ownershipOf(context, id, news.props);
    const isOwn = isOwnBy(ownership, (made) => differences(twin, made).length === 0);
    if (isOwn) await server.crons.delete(id);
    context.log.warn(
      isOwn
        ? `deleted cron ${id}, which an interrupted create of this resource made${besides}`
        : `cron ${id} carries the mark of this resource too, and fires${besides}; delete it, unless another program manages it`,
    );
  }
}

/** Sends what a cron lacks in one PATCH, and reads what it did: a server answers 200 to what it does not know. */
async function send(
  { crons }: AgentServer,
  found: Cron,
  { olds, inputs, mark }: { readonly olds: Props; readonly inputs: Props; readonly mark: string },
): Promise<Cron> {
  const id = found.cron_id;
  const patch = patchOf(found, olds, inputs, mark);
  if (patch === undefined) return found;
  const answered = await crons.update(id, patch.body).catch(async (error: unknown) => {
    if (!isAmbiguous(error)) throw error;
    const rest = patchOf(await crons.get(id), olds, inputs, mark);
    return rest === undefined ? crons.get(id) : crons.update(id, rest.body);
  });
  const lacks = (cron: Cron) => patchOf(cron, olds, inputs, mark)?.names ?? [];
  const updated = lacks(answered).length === 0 ? answered : await crons.get(id);
  const names = lacks(updated);
  if (names.length > 0) throw new Error(notDone(id, names));
  return updated;
}

function findCron(
  { crons }: AgentServer,
  id: string,
  { clock }: Context,
): Promise<Cron | undefined> {
  return findSettled(clock, () => crons.get(id));
}

function read(id: string, olds: Declared, context: Context): Promise<Found | undefined> {
  const reading = {
    noun: NOUN,
    endpoint: ENDPOINT,
    instead: "a program reads it with Cron.get",
    importFrom: importCron,
    find: findCron,
    toFound,
  };
  return readOnServer(reading, id, olds, context);
}

async function importCron({ deploymentUrl, id }: Place, olds: Declared, context: Context) {
  const deploymentId = await deploymentServing(deploymentUrl, context);
  const at = cronArguments.decode({ deploymentId, ...olds.props, deploymentUrl });
  const server = importServerOf(at, context);
  const { inputs, outs } = await undeclared(server, at, await server.crons.get(id));
  return { id, inputs, outs: { ...deploymentOf(at, context), ...outs } };
}

async function toFound(server: AgentServer, olds: Declared, cron: Cron): Promise<Found> {
  if (olds.props["createdAt"] === undefined) return undeclared(server, olds, cron);
  const inputs = toInputs(olds, cron);
  return { inputs, outs: toOutputs(inputs, cron, await lastRunStatus(server, cron)) };
}

/** One of which a state has nothing but the server: of an import, and of `get`. */
async function undeclared(server: AgentServer, { props }: Declared, cron: Cron): Promise<Found> {
  const place = present(membersOf(props, ["deploymentUrl", "apiKey", "deploymentId"]));
  const inputs = { ...allInputs(cron), ...place };
  return { inputs, outs: toOutputs(inputs, cron, await lastRunStatus(server, cron)) };
}

/** The status of the newest run, known by its mark; undefined where none is left. */
async function lastRunStatus(
  { threads, runs }: AgentServer,
  cron: Cron,
): Promise<string | undefined> {
  const mark = cron.metadata[MARK];
  if (mark === undefined) return undefined;
  try {
    const newest = { metadata: { [MARK]: mark }, limit: 1 };
    const threadId = cron.thread_id ?? (await threads.search(newest))[0]?.thread_id;
    const all = threadId === undefined ? [] : await runs.list(threadId);
    return all.find(({ metadata }) => metadata?.[MARK] === mark)?.status;
  } catch {
    // It is shown and nothing depends on it; the cron itself was read or changed before.
    return undefined;
  }
}

/** Sends what is declared and not there; nothing where no value has changed that the server keeps. */
async function update(
  id: string,
  olds: Declared,
  news: Declared,
  context: Context,
): Promise<Props> {
  const deployment = deploymentOf(news, context, olds.props);
  if (!isSent(olds, news) && olds.props["createdAt"] !== undefined)
    return { ...deployment, ...keptOutputs(cronArguments, OBSERVED_NAMES, olds.props, news.props) };
  const server = serverOf(news, context);
  const found = await findCron(server, id, context);
  if (found === undefined || isLaterCreate(olds.props, found.created_at))
    throw goneError(NOUN, id, id);
  const inputs = withIgnored(news.props, toInputs(news, found));
  const cron = await send(server, found, { olds: olds.props, inputs, mark: markOf(context) });
  return { ...deployment, ...toOutputs(news.props, cron, await lastRunStatus(server, cron)) };
}

/** A cron that is forgotten costs model calls: only a server that says 404 has none. */
function remove(id: string, olds: Declared, context: Context): Promise<void> {
  return deleteOnServer(NOUN, id, olds, context, async (server) => {
    const found = await findCron(server, id, context);
    if (found && isTaken(NOUN, { id, log: context.log }, olds.props, found.created_at)) return;
    await server.crons.delete(id).catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
    });
  });
}
