import type { AgentServer, Thread } from "../../sdk";
import { findOnceReady } from "../agent-server/server";
import type { Context } from "../resource/context";
import type { Declared } from "./diff";

/** The create of a thread, and where it happens. */
export interface Creation {
  readonly server: AgentServer;
  readonly news: Declared;
  readonly context: Context;
}

/** Reads a thread. A server that was just deployed has a minute until it responds. */
export function findThread(
  { server, news, context }: Creation,
  threadId: string,
): Promise<Thread | undefined> {
  return findOnceReady(news, context, (signal) => server.threads.get(threadId, { signal }));
}
