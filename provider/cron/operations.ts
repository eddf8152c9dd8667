import type { AgentServer, Cron } from "../../sdk";
import { isLost, withKeptDeployment } from "../agent-server/deployment";
import {
  deleteOnServer,
  type Reading,
  readOnServer,
  updateOnServer,
} from "../agent-server/recorded";
import { graphProblems, serverToAsk } from "../agent-server/preview";
import { deleteFound, findOnServer } from "../agent-server/server";
import { withLowerCase } from "../arguments/forms";
import { known } from "../arguments/decode";
import type { Problem } from "../arguments/problems";
import { withIgnored } from "../arguments/property-path";
import { type Props, sameValue, visibleOf } from "../arguments/props";
import type { Context } from "../resource/context";
import { defineLifecycle, previewSignal, type RemoteCheck } from "../resource/define-lifecycle";
import { isTaken } from "../resource/find";
import { isIndeterminate, sendChange } from "../resource/indeterminate-update";
import { describeAdoption } from "../resource/ownership";
import { RESOURCE_TYPES } from "../resource-types";
import { createCron, findUnconfirmed, problemsOn, send, settleOthers } from "./create";
import { cronArguments, type Declared, describeFiring, difference, LOSS } from "./diff";
import { scheduleWarning } from "./schedule";
import {
  allInputs,
  MARK,
  markOf,
  NOUN,
  OBSERVED_NAMES,
  toInputs,
  toOutputs as outputsOf,
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
    cronArguments.sent(olds, news).length > 0 ? ["nextRunDate", "lastRunStatus", "updatedAt"] : [],
  undeclared: UNDECLARED,
  check: (olds, news, context) => {
    const inputs = withLowerCase(withKeptDeployment(olds, news, context), [
      "assistantId",
      "threadId",
    ]);
    const { schedule } = inputs;
    const declared = cronArguments.decode(inputs);
    const isSame = sameValue(olds["schedule"], schedule);
    const warning = typeof schedule === "string" && !isSame ? scheduleWarning(schedule) : undefined;
    const said = [
      describeAdoption(inputs, NOUN, markOf(context)),
      describeFiring(declared, context.clock.now()),
    ].filter((part) => part !== undefined);
    return {
      inputs,
      problems: cronArguments.problems(inputs),
      warnings: warning === undefined ? [] : [warning],
      message: said.join("; ") || undefined,
    };
  },
  refusalsOf: [serverRefusals],
  describeReplacement: () => LOSS,
  difference: (_, olds, news, context) =>
    difference(olds, news, {
      isLost: isLost(olds, news, context),
      isChecked: context.processCache.existing.has(context.urn ?? ""),
      nowMs: context.clock.now(),
    }),
  create: createCron,
  read: (...args) => readOnServer(READING, ...args),
  update,
  delete: remove,
  findUnconfirmed,
});

/** What the server of a new or changed cron refuses, or takes and does not do. Nothing where it does not respond. */
async function serverRefusals(...[olds, inputs, context]: Parameters<RemoteCheck<Problem>>) {
  const news = cronArguments.decode(inputs);
  const server = serverToAsk(news, context);
  if (server === undefined || sameValue(visibleOf(olds), visibleOf(inputs))) return [];
  const info = await server.info({ signal: previewSignal() }).catch(() => undefined);
  if (info === undefined) return [];
  const problems = problemsOn(info, inputs);
  if (problems.length > 0) return problems;
  return graphProblems(server, cronArguments.decode(olds), news, context);
}

const READING: Reading<Declared, Cron> = {
  row: RESOURCE_TYPES.Cron,
  table: cronArguments,
  observedNames: OBSERVED_NAMES,
  instead: "a program reads it with Cron.get",
  find: (server, id, context) => findOnServer(server, context, () => server.crons.get(id)),
  allInputs,
  toOutputs,
  async toFound(server, olds, cron, context) {
    await settleOthers({ server, news: olds, context }, cron, false);
    const inputs = toInputs(olds, cron);
    return { inputs, outs: await toOutputs(server, inputs, cron) };
  },
};

async function toOutputs(server: AgentServer, inputs: Props, cron: Cron): Promise<Props> {
  return outputsOf(inputs, cron, await lastRunStatus(server, cron));
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
function update(id: string, olds: Declared, news: Declared, context: Context): Promise<Props> {
  const isSame = cronArguments.sent(olds, news).length === 0 && !isIndeterminate(olds.props);
  return updateOnServer(
    READING,
    { id, olds, news },
    context,
    !isSame &&
      (async (server, found) => {
        const inputs = withIgnored(news.props, toInputs(news, found));
        const change = { olds: olds.props, inputs, mark: markOf(context) };
        const cron = await sendChange(() => send(server, found, change));
        return toOutputs(server, news.props, cron);
      }),
  );
}

/** A cron that is forgotten costs model calls: the DELETE is sent also where none is found. */
function remove(id: string, olds: Declared, context: Context): Promise<void> {
  return deleteOnServer(NOUN, id, olds, context, async (server) => {
    const find = () => READING.find(server, id, context);
    const found = await find();
    if (found && isTaken(NOUN, { id, log: context.log }, olds.props, found.created_at)) return;
    await deleteFound(server.crons.delete(id), found, find);
  });
}
