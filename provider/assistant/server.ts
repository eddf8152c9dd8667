import { type AgentServer, type Assistant, NotFound } from "../../sdk";
import type { CallOptions } from "../../sdk";
import type { Context } from "../resource/context";
import { findOnServer } from "../agent-server/server";

/** What a server has under an id. */
export interface Found extends Assistant {
  /** Its graph is not in the running revision: the Python server then hides it from a read, and keeps it. */
  readonly isHidden: boolean;
}

/** The assistant of a state; undefined when it is gone. */
export function findRecordedAssistant(
  server: AgentServer,
  id: string,
  context: Pick<Context, "clock">,
): Promise<Found | undefined> {
  return findOnServer(server, context, () => findAssistant(server, id));
}

/** Reads an assistant; undefined when it is surely gone: a 404 is believed only when its versions say so too. */
export async function findAssistant(
  { assistants }: AgentServer,
  id: string,
  options?: CallOptions,
): Promise<Found | undefined> {
  try {
    return { ...(await assistants.get(id, options)), isHidden: false };
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
  try {
    // Which version is in use is not shown: the newest is, unless an earlier one was put in use by hand.
    const versions = await assistants.versions(id, { limit: 1000 }, options);
    const [newest] = versions;
    if (newest === undefined) return undefined;
    const { created_at } = versions.at(-1) ?? newest;
    return { ...newest, created_at, updated_at: newest.created_at, isHidden: true };
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
