import type { Child } from "hono/jsx";
import type { ThreadState } from "../../sdk/schema/thread";
import type { StoredDeployment } from "../store";
import type { AgentReader } from "./agent-reader";
import { agentView, threadChanges, type View } from "./agent-view";
import { Live } from "./layout";
import type { PageParts } from "./parts";
import { link, ShortId } from "./pieces";
import { graphOf } from "./runs";
import { checkpointIdOf, STATES, ThreadView } from "./thread-view";

/** A thread, and one of its states. */
export interface ThreadQuery {
  readonly threadId: string;
  /** @default the newest */
  readonly checkpointId?: string | undefined;
  readonly start: boolean;
}

/** One thread: its conversation and its history of states. */
export async function threadPage(
  parts: PageParts,
  deployment: StoredDeployment,
  query: ThreadQuery,
): Promise<View> {
  const { threadId, checkpointId: checkpoint } = query;
  const threads = `/deployments/${deployment.id}/threads`;
  const path = `${threads}/${encodeURIComponent(threadId)}`;
  const { content, status } = await threadContent(parts, deployment, query);
  const page = (
    <>
      <div class="heading">
        <h1>
          Thread <ShortId id={threadId} />{" "}
          <small>
            of <a href={threads}>{deployment.name}</a>
          </small>
        </h1>
      </div>
      <Live id="thread" stream={link(`/live${path}`, { checkpoint })}>
        {content}
      </Live>
    </>
  );
  return { content: page, status };
}

/** The live part, and the changes to follow. A stopped server is not started for it. */
export function liveThread(parts: PageParts, deployment: StoredDeployment, query: ThreadQuery) {
  let isBusy = false;
  const render = async (): Promise<Child> => {
    const seen = (status: string) => (isBusy = status === "busy");
    return (await threadContent(parts, deployment, { ...query, start: false }, seen)).content;
  };
  const state = () => `${parts.admin.activity.of(deployment.id)}`;
  return { render, watch: threadChanges(state, () => isBusy) };
}

function threadContent(
  parts: PageParts,
  deployment: StoredDeployment,
  { threadId, checkpointId, start }: ThreadQuery,
  seen: (status: string) => void = () => {},
): Promise<View> {
  const path = `/deployments/${deployment.id}/threads/${encodeURIComponent(threadId)}`;
  const request = { start, path, notFound: "There is no such thread." };
  return agentView(parts, deployment, request, async (agent) => {
    const [thread, history, graph] = await Promise.all([
      agent.get(threadId),
      agent.history(threadId, STATES),
      graphOf(parts, deployment, async () => agent),
    ]);
    seen(thread.status);
    const state = await stateOf(agent, threadId, history, checkpointId);
    return <ThreadView {...{ parts, deployment, thread, history, state, checkpointId, graph }} />;
  });
}

/** The history has it mostly: each further request writes lines into the agent's log. */
async function stateOf(
  agent: AgentReader,
  threadId: string,
  history: readonly ThreadState[],
  checkpointId: string | undefined,
): Promise<ThreadState> {
  const isShown = (state: ThreadState) =>
    checkpointId === undefined || checkpointIdOf(state) === checkpointId;
  return history.find(isShown) ?? agent.state(threadId, checkpointId);
}
