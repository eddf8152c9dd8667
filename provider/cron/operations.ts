import { type AgentServer, type Cron, NotFound } from "../../sdk";
import {
  deploymentOf,
  deploymentServing,
  isLost,
  withKeptDeployment,
} from "../agent-server/deployment";
import type { Place } from "../agent-server/import-id";
import { deleteOnServer, readOnServer } from "../agent-server/recorded";
import { importServerOf, refuseOtherUser, serverOf } from "../agent-server/server";
import { known } from "../arguments/decode";
import type { Problem } from "../arguments/problems";
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
import { defineLifecycle, type Found, type RemoteCheck } from "../resource/define-lifecycle";
import { findSettled, goneError, isLaterCreate, isTaken } from "../resource/find";
import { RESOURCE_TYPES } from "../resource-types";
import { createCron, problemsOn, send, settleOthers } from "./create";
import { cronArguments, type Declared, describeFiring, difference, LOSS } from "./diff";
import { scheduleWarning } from "./schedule";
import {
  allInputs,
  ENDPOINT,
  MARK,
  markOf,
  NOUN,
  OBSERVED_NAMES,
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
      problems: cronArguments.problems(inputs),
      warnings: warning === undefined ? [] : [warning],
      message: describeFiring(declared, context.clock.now()),
    };
  },
  refusalsOf: [serverRefusals],
  describeReplacement: () => LOSS,
  difference: (_, olds, news, context) =>
    difference(olds, news, { isLost: isLost(olds, news, context), nowMs: context.clock.now() }),
  create: createCron,
  read,
  update,
  delete: remove,
});

function isSent(olds: Declared, news: Declared): boolean {
  const settings: readonly string[] = cronArguments.pathsOf("settings");
  return cronArguments.changes(olds, news).changed.some((path) => settings.includes(path));
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

async function toFound(
  server: AgentServer,
  olds: Declared,
  cron: Cron,
  context: Context,
): Promise<Found> {
  if (olds.props["createdAt"] === undefined) return undeclared(server, olds, cron);
  await settleOthers({ server, news: olds, context }, cron, false);
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
  await refuseOtherUser(`${NOUN} '${id}'`, [olds, news], context, ({ crons }) => crons.get(id));
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
