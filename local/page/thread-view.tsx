import type { FC } from "hono/jsx";
import type { ThreadState } from "../../sdk/schema/thread";
import { isRecord, recordOf, textOf } from "../../shared/records";
import type { StoredDeployment } from "../store";
import type { ReadThread } from "./agent-reader";
import { Commands } from "./commands";
import { Fact } from "./deployment-facts";
import { Json } from "./json";
import { Conversation } from "./messages";
import { Age, Empty, link, ShortId } from "./pieces";
import type { PlatformFacts } from "./parts";
import { threadCommands } from "./runs";
import { Metadata, ThreadStatus } from "./thread-table";
import { ThreadEnd } from "./thread-end";
import { plain, plural } from "./words";

/** Of more states the newest are shown. */
export const STATES = 50;

/** What the page shows of a thread, as its agent server gave it. */
interface ThreadViewProps {
  readonly parts: { readonly facts: PlatformFacts };
  readonly deployment: Pick<StoredDeployment, "id" | "url" | "secrets">;
  readonly thread: ReadThread;
  /** Newest first. */
  readonly history: readonly ThreadState[];
  /** The one to show. */
  readonly state: ThreadState;
  /** Undefined for the newest. */
  readonly checkpointId?: string | undefined;
  /** A graph that the server runs; undefined where it runs none. */
  readonly graph?: string | undefined;
}

/** A thread: why its last run ended, its conversation, facts and states. */
export const ThreadView: FC<ThreadViewProps> = (props) => {
  const { deployment, thread, history, state, checkpointId, parts } = props;
  const path = `/deployments/${deployment.id}/threads/${encodeURIComponent(thread.thread_id)}`;
  const graph = textOf(recordOf(thread.metadata)["graph_id"]) ?? props.graph;
  return (
    <>
      <ThreadEnd thread={thread} newest={history[0] ?? state} />
      <div class="columns">
        <div>
          <State state={state} path={path} checkpointId={checkpointId} />
        </div>
        <div>
          <ThreadFacts thread={thread} path={path} />
          {props.graph !== undefined && graph !== undefined && (
            <section aria-labelledby="run-title">
              <h2 id="run-title">Talk to the agent</h2>
              <Commands commands={threadCommands(parts.facts, deployment, thread, graph)} />
            </section>
          )}
          <History history={history} path={path} shown={checkpointIdOf(state)} />
        </div>
      </div>
    </>
  );
};

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
          {checkpointId === undefined ? (
            "now"
          ) : (
            <>
              at <ShortId id={checkpointId} />
            </>
          )}
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

const ThreadFacts: FC<{ thread: ReadThread; path: string }> = ({ thread, path }) => (
  <section aria-labelledby="thread-title">
    <h2 id="thread-title">Thread</h2>
    <dl class="facts">
      <Fact name="Id">
        <code>{plain(thread.thread_id)}</code>
      </Fact>
      <Fact name="Status">
        <ThreadStatus status={thread.status} />
      </Fact>
      <Fact name="Metadata">
        <Metadata metadata={thread.metadata ?? {}} />
      </Fact>
      <Fact name="Updated">
        <Age at={thread.updated_at} now={Date.now()} />
      </Fact>
      <Fact name="JSON">
        <a href={`${path}/json`}>newest state</a>,{" "}
        <a href={link(`${path}/json`, { history: "yes" })}>history</a>
      </Fact>
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
        const id = checkpointIdOf(state) ?? "";
        const metadata = recordOf(state.metadata);
        const nodes = Object.keys(recordOf(metadata["writes"]));
        return (
          <li>
            <a
              href={link(path, { checkpoint: id })}
              aria-current={id === shown ? "true" : undefined}
            >
              Step {typeof metadata["step"] === "number" ? metadata["step"] : "–"}
            </a>{" "}
            {plain(nodes.join(", ") || (textOf(metadata["source"]) ?? ""))}
            <small>
              <Age at={state.created_at ?? ""} now={Date.now()} />, checkpoint <ShortId id={id} />
              {(state.next ?? []).length > 0 && `, next ${plain((state.next ?? []).join(", "))}`}
            </small>
          </li>
        );
      })}
    </ol>
    {history.length >= STATES && <p class="hint">Only the newest {STATES} states are shown.</p>}
  </section>
);

/** Servers write it in one of two places. */
export function checkpointIdOf(state: ThreadState): string | undefined {
  const { checkpoint } = state;
  return (
    (isRecord(checkpoint) ? textOf(checkpoint["checkpoint_id"]) : undefined) ??
    state.checkpoint_id ??
    undefined
  );
}
