import type { AgentServer } from "../../sdk";
import type { Context } from "../resource/context";
import type { Found } from "../resource/define-lifecycle";
import { isTaken } from "../resource/find";
import { isAbandoned, whyAbandoned } from "./deployment";
import { addressNeeded, parseImportId, type Place } from "./import-id";
import { addressOf, isSilence, type OnAgentServer, serverOf } from "./server";

/** A kind of thing on agent servers, and how to read it. */
interface Reading<Declared, Wire> {
  /** Its name in messages. */
  readonly noun: string;
  /** Its endpoint on an agent server. */
  readonly endpoint: string;
  /** What a program does where an id does not say where the thing is. */
  readonly instead: string;
  /** Reads one for an import, of which nothing is declared. */
  readonly importFrom: (place: Place, olds: Declared, context: Context) => Promise<Found>;
  readonly find: (server: AgentServer, id: string, context: Context) => Promise<Wire | undefined>;
  readonly toFound: (
    server: AgentServer,
    olds: Declared,
    wire: Wire,
    context: Context,
  ) => Promise<Found>;
}

/** Reads the thing of a state, of `get` or of an import. It is gone too where the deployment of its agent server is. */
export async function readOnServer<
  Declared extends OnAgentServer,
  Wire extends { readonly created_at: string },
>(
  { noun, endpoint, instead, importFrom, find, toFound }: Reading<Declared, Wire>,
  id: string,
  olds: Declared,
  context: Context,
): Promise<Found | undefined> {
  const place = parseImportId(id, endpoint);
  if (place !== undefined) return importFrom(place, olds, context);
  if (addressOf(olds) === "") throw addressNeeded(noun, endpoint, id, instead);
  const server = serverOf(olds, context);
  try {
    const wire = await find(server, id, context);
    const isGet = olds.props["createdAt"] === undefined;
    if (wire === undefined && isGet)
      throw new Error(`get ${noun} '${id}': it does not exist at ${addressOf(olds)}`);
    if (wire === undefined || isTaken(noun, { id, log: context.log }, olds.props, wire.created_at))
      return undefined;
    return await toFound(server, olds, wire, context);
  } catch (error) {
    if (await isAbandoned(error, olds, context)) return undefined;
    throw error;
  }
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
  try {
    await remove(serverOf(olds, context));
  } catch (error) {
    const why = isSilence(error) ? await whyAbandoned(error, olds, context) : whyKept(error);
    if (why === undefined) throw error;
    context.log.warn(`${noun} ${id} was not deleted: ${why}`);
  }
}
