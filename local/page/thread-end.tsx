import type { FC } from "hono/jsx";
import type { ThreadState } from "../../sdk/schema/thread";
import { isRecord, recordOf, textOf } from "../../shared/records";
import type { ReadThread } from "./agent-reader";
import { Json } from "./json";
import { PlainText, recordOrList } from "./messages";
import { plain } from "./words";

/** A task of a state: a node of the graph that is to run, or has failed. */
interface Task {
  readonly id: string | undefined;
  readonly name: string;
  readonly error: unknown;
  readonly interrupts: readonly unknown[];
}

/** Why a thread is in error, or what an interrupted one waits for. Nothing for others. */
export const ThreadEnd: FC<{ thread: ReadThread; newest: ThreadState | undefined }> = ({
  thread,
  newest,
}) => {
  if (thread.status === "error") return <Failed tasks={tasksOf(newest)} />;
  if (thread.status === "interrupted") return <Interrupted thread={thread} newest={newest} />;
  return null;
};

const Failed: FC<{ tasks: readonly Task[] }> = ({ tasks }) => {
  const failed = tasks.filter(({ error }) => error !== undefined && error !== null);
  return (
    <section class="problem" role="alert">
      <h2>The last run failed</h2>
      {failed.length === 0 && (
        <p>The agent server does not say why. Its log has more: see the deployment.</p>
      )}
      {failed.map(({ name, error }) => (
        <>
          <p class="role">Node {plain(name)}</p>
          <Value value={textOfError(error)} />
        </>
      ))}
    </section>
  );
};

const Interrupted: FC<{ thread: ReadThread; newest: ThreadState | undefined }> = ({
  thread,
  newest,
}) => {
  const tasks = tasksOf(newest);
  const names = new Map(tasks.map(({ id, name }) => [id, name]));
  const ofThread = Object.entries(thread.interrupts ?? {}).flatMap(([id, values]) =>
    (Array.isArray(values) ? values : [values]).map((value: unknown) => ({
      name: names.get(id),
      value,
    })),
  );
  const ofTasks = tasks.flatMap(({ name, interrupts }) =>
    interrupts.map((value) => ({ name, value })),
  );
  const interrupts = ofThread.length > 0 ? ofThread : ofTasks;
  const next = newest?.next ?? [];
  return (
    <section class="waiting" role="status">
      <h2>The run is interrupted</h2>
      {interrupts.length === 0 && (
        <p>
          {next.length > 0 ? `It stopped before ${plain(next.join(", "))}.` : "It can be resumed."}
        </p>
      )}
      {interrupts.map(({ name, value }) => (
        <>
          <p class="role">
            {name === undefined ? "It waits for" : `Node ${plain(name)} waits for`}
          </p>
          <Value value={isRecord(value) && "value" in value ? value["value"] : value} />
        </>
      ))}
    </section>
  );
};

const Value: FC<{ value: unknown }> = ({ value }) =>
  typeof value === "string" ? <PlainText text={value} /> : <Json value={value} />;

function tasksOf(state: ThreadState | undefined): Task[] {
  return (state?.tasks ?? []).filter(isRecord).map(({ id, name, error, interrupts }) => ({
    id: textOf(id),
    name: textOf(name) ?? "",
    error,
    interrupts: Array.isArray(interrupts) ? interrupts : [],
  }));
}

/** A string, or a record with a name and a message, which the JavaScript server writes as JSON. */
function textOfError(error: unknown): unknown {
  const record = typeof error === "string" ? recordOrList(error) : error;
  const { name, error: kind = name, message } = recordOf(record);
  const words = [textOf(kind), textOf(message)].filter((word) => word !== undefined);
  return words.length > 0 ? words.join(": ") : error;
}
