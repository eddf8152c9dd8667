import type { FC } from "hono/jsx";
import type { Thread, ThreadState } from "../../sdk/schema/thread";
import { isRecord, recordOf, textOf } from "../../shared/records";
import type { StoredDeployment } from "../store";
import { Conversation, Json } from "./messages";
import type { PageParts } from "./parts";
import { Age, Empty, link } from "./pieces";
import { Metadata, ThreadStatus, withAgent } from "./threads";
import { plain, plural, shortId } from "./words";

const STATES = 50;

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
  { threadId, checkpointId, start }: ThreadQuery,
) {
  const threads = `/deployments/${deployment.id}/threads`;
  const path = `${threads}/${encodeURIComponent(threadId)}`;
  return (
    <>
      <div class="heading">
        <h1>
          Thread <bdi>{plain(shortId(threadId))}</bdi>{" "}
          <small>
            of <a href={threads}>{deployment.name}</a>
          </small>
        </h1>
      </div>
      {await withAgent(parts, deployment, start, path, async (agent) => {
        const [thread, state, history] = await Promise.all([
          agent.get(threadId),
          agent.state(threadId, checkpointId),
          agent.history(threadId, STATES),
        ]);
        return (
          <div class="columns">
            <div>
              <State state={state} path={path} checkpointId={checkpointId} />
            </div>
            <div>
              <ThreadFacts thread={thread} path={path} />
              <History history={history} path={path} shown={idOf(state)} />
            </div>
          </div>
        );
      })}
    </>
  );
}

const State: FC<{ state: ThreadState; path: string; checkpointId?: string | undefined }> = ({
  state,
  path,
  checkpointId,
}) => {
  const { messages, ...rest } = recordOf(state.values);
  const others = Object.entries(rest);
  return (
    <section aria-labelledby="conversation-title">
      <h2 id="conversation-title">
        Conversation{" "}
        <small>
          {checkpointId === undefined ? "now" : <>at {plain(shortId(checkpointId))}</>}
          {", "}
          <a href={link(`${path}/json`, { checkpoint: checkpointId })}>JSON</a>
          {checkpointId !== undefined && (
            <>
              {", "}
              <a href={path}>newest state</a>
            </>
          )}
        </small>
      </h2>
      {Array.isArray(messages) && messages.length > 0 ? (
        <Conversation messages={messages} />
      ) : (
        <Empty title="No messages in this state." />
      )}
      {others.length > 0 && (
        <details class="values">
          <summary>{plural(others.length, "other value")} of the state</summary>
          <Json value={rest} />
        </details>
      )}
    </section>
  );
};

const ThreadFacts: FC<{ thread: Thread; path: string }> = ({ thread, path }) => (
  <section aria-labelledby="thread-title">
    <h2 id="thread-title">Thread</h2>
    <dl class="facts">
      <div>
        <dt>Id</dt>
        <dd>
          <code>{plain(thread.thread_id)}</code>
        </dd>
      </div>
      <div>
        <dt>Status</dt>
        <dd>
          <ThreadStatus status={thread.status} />
        </dd>
      </div>
      <div>
        <dt>Metadata</dt>
        <dd>
          <Metadata metadata={thread.metadata ?? {}} />
        </dd>
      </div>
      <div>
        <dt>Updated</dt>
        <dd>
          <Age at={thread.updated_at} now={Date.now()} />
        </dd>
      </div>
      <div>
        <dt>JSON</dt>
        <dd>
          <a href={`${path}/json`}>newest state</a>,{" "}
          <a href={link(`${path}/json`, { history: "yes" })}>history</a>
        </dd>
      </div>
    </dl>
  </section>
);

const History: FC<{ history: readonly ThreadState[]; path: string; shown: string | undefined }> = ({
  history,
  path,
  shown,
}) => (
  <section aria-labelledby="history-title">
    <h2 id="history-title">States</h2>
    {history.length === 0 && <Empty title="This thread has no states." />}
    <ol class="history">
      {history.map((state) => {
        const id = idOf(state) ?? "";
        const metadata = recordOf(state.metadata);
        const nodes = Object.keys(recordOf(metadata["writes"]));
        return (
          <li>
            <a
              href={link(path, { checkpoint: id })}
              aria-current={id === shown ? "true" : undefined}
              title={plain(id)}
            >
              Step {typeof metadata["step"] === "number" ? metadata["step"] : "–"}
            </a>{" "}
            {plain(nodes.join(", ") || (textOf(metadata["source"]) ?? ""))}
            <small>
              <Age at={state.created_at ?? ""} now={Date.now()} />, checkpoint{" "}
              <code>{plain(id.slice(-8))}</code>
              {(state.next ?? []).length > 0 && `, next ${plain((state.next ?? []).join(", "))}`}
            </small>
          </li>
        );
      })}
    </ol>
    {history.length >= STATES && <p class="hint">Only the newest {STATES} states are shown.</p>}
  </section>
);

function idOf(state: ThreadState): string | undefined {
  const { checkpoint } = state;
  return (
    (isRecord(checkpoint) ? textOf(checkpoint["checkpoint_id"]) : undefined) ??
    state.checkpoint_id ??
    undefined
  );
}
