import type { AgentServer, Assistant } from "../../sdk";
import { recordOf } from "../../shared/records";
import { deploymentOf } from "../agent-server/deployment";
import { importIdOf } from "../agent-server/import-id";
import {
  addressOf,
  awaitServer,
  createOnceReady,
  explainHidden,
  findOnceReady,
  serverOf,
} from "../agent-server/server";
import { findUnconfirmedOn } from "../agent-server/recorded";
import type { Context } from "../resource/context";
import type { Unconfirmed } from "../resource/define-lifecycle";
import { createUnique, type Unique } from "../resource/create-unique";
import { adviceToAdopt } from "../resource/ownership";
import { known } from "../arguments/decode";
import { refuse } from "../arguments/problems";
import { membersOf, present, type Props } from "../arguments/props";
import { pinned } from "./active-version";
import { assistantArguments, type Declared } from "./diff";
import { passGate, toCandidate } from "./gate";
import { findAssistant, findRecordedAssistant, type Found } from "./server";
import { gated, warnOfGraph } from "./update";
import {
  differences,
  ENDPOINT,
  idOf,
  MARK,
  markOf,
  NOUN,
  toCreateRequest,
  toOutputs,
  VALUES,
} from "./values";

/** Creates an assistant, or adopts one that is there, once its gate is passed. */
export async function createAssistant(
  news: Declared,
  context: Context,
): Promise<{ id: string; outs: Props }> {
  const subject = known(news.name) ?? idOf(news);
  refuse(`create assistant '${subject}'`, assistantArguments.problems(news.props));
  const server = serverOf(news, context);
  const id = idOf(news);
  const place = { deploymentUrl: addressOf(news), id };
  const unique: Unique<Found | Assistant> = {
    noun: NOUN,
    client: server,
    inputs: news.props,
    key: id,
    find: () => findOnceReady(news, context, (signal) => findAssistant(server, id, { signal })),
    reach: () => awaitServer(server, news, context),
    beforePost: () => {
      refuseVersion(news);
      return passGate(server, news, toCandidate(news.props), context, "created");
    },
    post: () =>
      server.assistants.create({ ...toCreateRequest(news.props, context.urn), assistant_id: id }),
    createdAt: ({ created_at }) => created_at,
    idOf: () => id,
    importId: () => importIdOf(place, ENDPOINT),
    differences: (found, inputs) => unlike(found, inputs, context),
    immutable: [],
    adoptsExisting: known(news.adoptExisting) === true,
    update: (found) => adopt(server, found, news, context),
    exists: `exists at ${place.deploymentUrl}`,
    adoption: [adviceToAdopt("it with its crons")],
    otherwise: "set another assistantId",
  };
  const assistant = await createOnceReady(server, news, context, () =>
    createUnique(context, unique),
  ).catch(explainHidden("set another assistantId"));
  await warnOfGraph(server, assistant, context);
  return { id, outs: { ...deploymentOf(news, context), ...toOutputs(news.props, assistant) } };
}

/** In what an assistant differs from what a create makes of these inputs. */
function unlike(found: Assistant, inputs: Props, { urn }: Context): string[] {
  const isMarked = found.metadata[MARK] === markOf(urn);
  return [...differences(found, inputs), ...(isMarked ? [] : ["the mark of this resource"])];
}

/** Finds the assistant with the id of a POST without a response. */
export function findUnconfirmed(
  id: string,
  inputs: Declared,
  context: Context,
): Promise<Unconfirmed | undefined> {
  return findUnconfirmedOn(inputs, context, async (server) => {
    const found = await findRecordedAssistant(server, id, context);
    return found && { id, isEqual: unlike(found, inputs.props, context).length === 0 };
  });
}

/** A new assistant has no version to go back to. */
function refuseVersion(news: Declared): void {
  const version = known(news.activeVersion);
  if (version !== undefined)
    throw new Error(
      `create assistant '${idOf(news)}': it does not exist, so that it has no version ${version}; remove activeVersion until it has been created`,
    );
}

/** Brings what a create adopts to the declared values, and marks it as managed by this resource. */
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
  return (await gated(server, found, change, news, context))();
}
