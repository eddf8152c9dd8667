import type { AgentServer } from "../../sdk";
import { membersOf, present, type Props } from "../arguments/props";
import { known } from "../arguments/decode";
import { keptOutputs } from "../arguments/reported";
import type { Context } from "../resource/context";
import type { Found, Unconfirmed } from "../resource/define-lifecycle";
import { goneError, isLaterCreate, isTaken } from "../resource/find";
import type { ResourceType } from "../resource-types";
import {
  deploymentOf,
  deploymentServing,
  isAbandoned,
  isDeletedWith,
  whyAbandoned,
} from "./deployment";
import { addressNeeded, parseImportId, type Place } from "./import-id";
import {
  addressOf,
  importServerOf,
  isSilence,
  type OnAgentServer,
  refuseOtherUser,
  serverOf,
} from "./server";

/** A kind of thing on agent servers, and how to read it. */
export interface Reading<Declared extends OnAgentServer, Wire extends Created> {
  readonly row: Pick<ResourceType, "noun" | "endpoint">;
  readonly table: { readonly names: readonly string[]; decode(props: Props): Declared };
  /** Names of the outputs that come from the agent server. */
  readonly observedNames: readonly string[];
  /** What a program does where an id does not say where the thing is. */
  readonly instead: string;
  /** Undefined when it is gone. */
  readonly find: (server: AgentServer, id: string, context: Context) => Promise<Wire | undefined>;
  /** Everything that the server reports, as a program may declare it: of an import nothing was declared. */
  readonly allInputs: (wire: Wire) => Props;
  readonly toOutputs: (server: AgentServer, inputs: Props, wire: Wire) => Props | Promise<Props>;
  /** What is read of one that the state has: what differs is drift. */
  readonly toFound: (
    server: AgentServer,
    olds: Declared,
    wire: Wire,
    context: Context,
  ) => Found | Promise<Found>;
}

interface Created {
  readonly created_at: string;
}

/** Reads the thing of a state, of `get` or of an import. It is gone too where the deployment of its agent server is. */
export async function readOnServer<Declared extends OnAgentServer, Wire extends Created>(
  reading: Reading<Declared, Wire>,
  id: string,
  olds: Declared,
  context: Context,
): Promise<Found | undefined> {
  const { row, instead, find, toFound } = reading;
  const { noun, endpoint = "" } = row;
  const place = parseImportId(id, endpoint);
  if (place !== undefined) return importFrom(reading, place, olds, context);
  if (addressOf(olds) === "") throw addressNeeded(noun, endpoint, id, instead);
  const server = serverOf(olds, context);
  try {
    const wire = await find(server, id, context);
    const isGet = isOfGet(olds);
    if (wire === undefined && isGet) throw missing(noun, id, olds);
    if (wire === undefined || isTaken(noun, { id, log: context.log }, olds.props, wire.created_at))
      return undefined;
    return await (isGet
      ? undeclared(reading, server, olds, wire)
      : toFound(server, olds, wire, context));
  } catch (error) {
    if (await isAbandoned(error, olds, context)) return undefined;
    throw error;
  }
}

async function importFrom<Declared extends OnAgentServer, Wire extends Created>(
  reading: Reading<Declared, Wire>,
  { deploymentUrl, id }: Place,
  olds: Declared,
  context: Context,
): Promise<Found> {
  const { row, table, find } = reading;
  const deploymentId = await deploymentServing(deploymentUrl, context);
  const at = table.decode({ deploymentId, ...olds.props, deploymentUrl });
  const server = importServerOf(`get ${row.noun} '${id}'`, at, context);
  const wire = await find(server, id, context);
  if (wire === undefined) throw missing(row.noun, id, at);
  const { inputs, outs } = await undeclared(reading, server, at, wire);
  return { id, inputs, outs: { ...deploymentOf(at, context), ...outs } };
}

/** A `get` has nothing but where the thing is; a state has its outputs, also after a create that failed. */
function isOfGet({ props }: Pick<OnAgentServer, "props">): boolean {
  return props["updatedAt"] === undefined;
}

function missing(noun: string, id: string, at: OnAgentServer): Error {
  return new Error(`get ${noun} '${id}': it does not exist at ${addressOf(at)}`);
}

/** One of which a state has nothing but the server: of an import, and of `get`. */
async function undeclared<Declared extends OnAgentServer, Wire extends Created>(
  { allInputs, toOutputs }: Reading<Declared, Wire>,
  server: AgentServer,
  { props }: OnAgentServer,
  wire: Wire,
): Promise<Found> {
  const place = present(membersOf(props, ["deploymentUrl", "apiKey", "deploymentId"]));
  const inputs = { ...allInputs(wire), ...place };
  return { inputs, outs: await toOutputs(server, inputs, wire) };
}

/** What an update is about. */
interface Updated<Declared> {
  readonly id: string;
  /** Its name in errors. @default the id */
  readonly name?: string | undefined;
  readonly olds: Declared;
  readonly news: Declared;
}

/** Updates the thing of a state; resolves to the outputs. Where nothing is sent the server may not even accept the new key yet. */
export async function updateOnServer<Declared extends OnAgentServer, Wire extends Created>(
  { row, table, observedNames, find }: Reading<Declared, Wire>,
  { id, name = id, olds, news }: Updated<Declared>,
  context: Context,
  send: false | ((server: AgentServer, found: Wire) => Promise<Props>),
): Promise<Props> {
  const { noun } = row;
  const deployment = deploymentOf(news, context, olds.props);
  const kept = { ...deployment, ...keptOutputs(table, observedNames, olds.props, news.props) };
  await refuseOtherUser(`${noun} '${id}'`, [olds, news], context, (server) =>
    find(server, id, context),
  );
  const [before, after] = [known(olds.deploymentId), known(news.deploymentId)];
  // A deployment that an earlier run has replaced took along what it had, also where its URL is the same.
  const isMoved = before !== undefined && after !== undefined && before !== after;
  if (send === false && !isMoved) return kept;
  const server = serverOf(news, context);
  const found = await find(server, id, context);
  if (found === undefined || isLaterCreate(olds.props, found.created_at))
    throw goneError(noun, name, id);
  if (send === false) return kept;
  return { ...deployment, ...(await send(server, found)) };
}

/**
 * Deletes the thing of a state. Where its agent server is gone with its deployment, or `whyKept` explains an error, a warning
 * says that it was not deleted. A server that does not respond may only be restarting: that is an error.
 */
export async function deleteOnServer(
  noun: string,
  id: string,
  olds: OnAgentServer,
  context: Context,
  remove: (server: AgentServer) => Promise<void>,
  whyKept: (error: unknown) => string | undefined = () => undefined,
): Promise<void> {
  await unlessGone(`${noun} ${id}`, olds, context, remove, whyKept);
}

/** Finds what has the key of a POST without a response; nothing where its agent server is gone with its deployment. */
export function findUnconfirmedOn(
  inputs: OnAgentServer,
  context: Context,
  find: (server: AgentServer) => Promise<Unconfirmed | undefined>,
): Promise<Unconfirmed | undefined> {
  return unlessGone("what may have been created", inputs, context, find, () => undefined);
}

/** Sends the requests of a delete. Where a server is not there for them, a warning says why `what` was not deleted. */
async function unlessGone<Result>(
  what: string,
  olds: OnAgentServer,
  context: Context,
  send: (server: AgentServer) => Promise<Result>,
  whyKept: (error: unknown) => string | undefined,
): Promise<Result | undefined> {
  let why: string | undefined;
  // A replacement may have another deployment at its address by now.
  if (isDeletedWith(olds, context))
    why = `the deployment at ${addressOf(olds)} was deleted in this run`;
  else
    try {
      return await send(serverOf(olds, context));
    } catch (error) {
      why = isSilence(error) ? await whyAbandoned(error, olds, context) : whyKept(error);
      if (why === undefined) throw error;
    }
  context.log.warn(`${what} was not deleted: ${why}`);
  return undefined;
}
