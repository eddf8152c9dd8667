import { openAgent } from "./agent-view";
import type { StoredDeployment } from "../store";
import type { PageParts } from "./parts";

/** The parts of a thread to show. */
export interface JsonQuery {
  readonly threadId: string;
  /** @default the newest state */
  readonly checkpoint?: string | undefined;
  /** All states instead of one. */
  readonly history: boolean;
}

const STATES = 100;

/** A state of a thread, or its history, as the agent server gives it. */
export async function threadJson(parts: PageParts, deployment: StoredDeployment, query: JsonQuery) {
  const agent = await openAgent(parts, deployment);
  const { threadId, checkpoint, history } = query;
  return history ? agent.history(threadId, STATES) : agent.state(threadId, checkpoint);
}
