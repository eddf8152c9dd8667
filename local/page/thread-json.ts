import { AgentReader } from "./agent-reader";
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
export async function threadJson(
  { driver }: PageParts,
  { id, secrets }: StoredDeployment,
  query: JsonQuery,
) {
  const agent = new AgentReader(await driver.origin(id), secrets);
  const { threadId, checkpoint, history } = query;
  return history ? agent.history(threadId, STATES) : agent.state(threadId, checkpoint);
}
