import { type AgentServer, type AnyServerInfo, type Cron, isAmbiguous } from "../../sdk";
import { messageOf } from "../../shared/errors";
import { isAtLeast } from "../../shared/version";
import { deploymentOf } from "../agent-server/deployment";
import { importIdOf } from "../agent-server/import-id";
import { addressOf, createOnceReady, findOnceReady, serverOf } from "../agent-server/server";
import { known } from "../arguments/decode";
import { type Problem, refuse } from "../arguments/problems";
import type { Props } from "../arguments/props";
import { findUnconfirmedOn } from "../agent-server/recorded";
import type { Context } from "../resource/context";
import type { Unconfirmed } from "../resource/define-lifecycle";
import { createUnique, type Unique } from "../resource/create-unique";
import { InitializationFailure } from "../resource/errors";
import { findTwice } from "../resource/find";
import { indeterminateOutputs } from "../resource/indeterminate-update";
import { adviceToAdopt, isOwnBy, ownershipOf } from "../resource/ownership";
import { sinceNow } from "../resource/post-once";
import { cronArguments, type Declared } from "./diff";
import {
  differences,
  ENDPOINT,
  MARK,
  markOf,
  NOUN,
  patchOf,
  toCreateRequest,
  toOutputs,
} from "./values";
import { momentIn } from "../../shared/moment";
import { isSameResource } from "../../shared/urn";

/** With the versions before it, an enabled cron with an end time is known to stop all crons of the server. */
const WITHOUT_KNOWN_DEFECT = "0.16.8";

/** What a server cannot do of the inputs, by what it says of itself. */
export function problemsOn(
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
  const isCured = isAtLeast(version ?? "", WITHOUT_KNOWN_DEFECT);
  if ((endTime ?? undefined) === undefined || enabled === false || isCured) return [];
  const reason = `is refused, since with one enabled cron that has an end time version ${version ?? "unknown"} of the agent server fires no cron at all; remove it, and set enabled: false when the time has come`;
  return [{ property: "endTime", reason }];
}

/** What a create knows. */
interface Creation {
  readonly server: AgentServer;
  readonly news: Declared;
  readonly context: Context;
}

interface Search {
  readonly kept?: Cron | undefined;
  readonly signal?: AbortSignal;
  /** @default that of the resource */
  readonly mark?: string;
}

/** The crons besides one that carry the mark of a resource and that no other one of the state has, oldest first. */
async function marked(
  { server, news, context }: Creation,
  { kept, signal, mark = markOf(context) }: Search = {},
): Promise<Cron[]> {
  const found: Cron[] = [];
  const metadata = { [MARK]: kept?.metadata[MARK] ?? mark };
  for await (const cron of server.crons.searchAll({ metadata }, { signal })) {
    if (cron.cron_id === kept?.cron_id) continue;
    const ownership = await ownershipOf(context, cron.cron_id, news.props);
    // A resource that was renamed keeps the mark of its old name.
    if (ownership.status !== "recorded" || isSameResource(ownership.by, context.urn ?? ""))
      found.push(cron);
  }
  return found.toSorted((a, b) => momentIn(a.created_at) - momentIn(b.created_at));
}

/** Those of them that a PATCH can bring to the inputs. Throws where the server can't have it: others answer a search 500. */
async function adoptable(creation: Creation): Promise<Cron[]> {
  const { server, news, context } = creation;
  const found = await findOnceReady(news, context, async (signal) => {
    refuse(taskOf(news), problemsOn(await server.info({ signal }), news.props));
    return marked(creation, { signal });
  });
  return (found ?? []).filter((cron) => !isOfAnother(cron, news.props));
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
export async function createCron(
  news: Declared,
  context: Context,
): Promise<{ id: string; outs: Props }> {
  const inputs = news.props;
  const server = serverOf(news, context);
  const creation = { server, news, context };
  const mark = markOf(context);
  const deploymentUrl = addressOf(news);
  refuse(taskOf(news), cronArguments.problems(inputs));
  const outsOf = (cron: Cron) => ({ ...deploymentOf(news, context), ...toOutputs(inputs, cron) });
  /** From its POST on a failure keeps the id, and the next update sends what it lacks. */
  const incomplete = (cron: Cron, reason: string) =>
    new InitializationFailure(cron.cron_id, indeterminateOutputs(outsOf(cron)), [reason]);
  const createdAt = ({ created_at }: Cron) => created_at;
  /** Whether a cron has come since the POST: an older one, which a search has not shown before, is not of it. */
  let isSince: ((cron: Cron) => boolean) | undefined;
  const unique: Unique<Cron> = {
    noun: NOUN,
    client: server,
    inputs,
    key: mark,
    find: async () => {
      const found = (await adoptable(creation)).find((one) => isSince?.(one) ?? true);
      if (found === undefined && isSince) throw new Error("the agent server does not show it yet");
      return found;
    },
    beforePost: () => settleTwins(creation),
    post: () => {
      isSince = sinceNow(context.clock, server, { createdAt });
      return server.crons.create(toCreateRequest(inputs, mark), { threadId: known(news.threadId) });
    },
    createdAt,
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
    adoption: [adviceToAdopt("it")],
    otherwise: "delete it there, or rename this resource",
  };
  const cron = await createOnceReady(server, news, context, () => {
    isSince = undefined;
    return createUnique(context, unique);
  });
  await settleOthers(creation, cron, true);
  const different = differences(cron, inputs);
  if (different.length > 0) throw incomplete(cron, notDone(cron.cron_id, different));
  return { id: cron.cron_id, outs: outsOf(cron) };
}

/** Finds the cron with the mark of a POST without a response. */
export function findUnconfirmed(
  mark: string,
  inputs: Declared,
  context: Context,
): Promise<Unconfirmed | undefined> {
  return findUnconfirmedOn(inputs, context, async (server) => {
    const isEqual = (cron: Cron) => differences(cron, inputs.props).length === 0;
    const cron = await findTwice(context.clock, async () => {
      const found = await marked({ server, news: inputs, context }, { mark });
      return found.find(isEqual) ?? found[0];
    });
    return cron && { id: cron.cron_id, isEqual: isEqual(cron) };
  });
}

function notDone(id: string, names: readonly string[]): string {
  return `the agent server answered 200 for cron ${id}, and it has another value of ${names.join(", ")}; its version may not know it: remove it from the program`;
}

/**
 * Looks at what carries the mark of a resource besides the cron that stays. What an interrupted create has left is deleted: two
 * may have met, or its assistant has changed since. What the state does not prove to be of one is named, and stays; at a
 * refresh everything is.
 */
async function settleTwins(creation: Creation, kept?: Cron, deletes = true): Promise<void> {
  const { server, news, context } = creation;
  const besides = kept === undefined ? "" : ` besides ${kept.cron_id}`;
  for (const twin of await marked(creation, { kept })) {
    const id = twin.cron_id;
    // What was there before the POST is not of this create, though the state may seem to say so after one that failed.
    if (kept === undefined && !isOfAnother(twin, news.props))
      throw new Error(
        `${taskOf(news)}: cron ${id} carries the mark of this resource, and a search before did not show it; run \`pulumi up\` again`,
      );
    const ownership = await ownershipOf(context, id, news.props);
    // The engine deletes what this replaces, and a resource of another name now has its own.
    if (ownership.status === "recorded") continue;
    const isOwn = isOwnBy(ownership, (made) => differences(twin, made).length === 0);
    if (isOwn && deletes) await server.crons.delete(id);
    context.log.warn(
      isOwn && deletes
        ? `deleted cron ${id}, which an interrupted create of this resource made${besides}`
        : `cron ${id} carries the mark of this resource too, and fires${besides}; delete it, unless another program manages it`,
    );
  }
}

/** Looks at what a cron that stays has besides. It is done itself: what is not known of others is only said. */
export async function settleOthers(
  creation: Creation,
  kept: Cron,
  deletes: boolean,
): Promise<void> {
  await settleTwins(creation, kept, deletes).catch((error: unknown) => {
    const what = `whether another cron carries the mark of ${kept.cron_id} is not known`;
    creation.context.log.warn(`${what}: ${messageOf(error)}`);
  });
}

/** Sends what a cron lacks in one PATCH, and reads what it did: a server answers 200 to what it does not know. */
export async function send(
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
