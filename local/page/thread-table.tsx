import type { FC } from "hono/jsx";
import type { SelectedThread } from "../../sdk/schema/thread";
import type { StoredDeployment } from "../store";
import { Age, Badge, type Columns, ColumnTable, ShortId } from "./pieces";
import { plain, type Tone } from "./words";

/** A thread and the deployment on whose server it is. */
export interface ThreadRow {
  readonly thread: SelectedThread;
  readonly deployment: Pick<StoredDeployment, "id" | "name">;
}

const DEPLOYMENT: Columns<ThreadRow> = {
  Deployment: ({ deployment: { id, name } }) => (
    <a class="deployment-name" href={`/deployments/${id}`}>
      {name}
    </a>
  ),
};

/** Threads, one a row. */
export const ThreadTable: FC<{ rows: readonly ThreadRow[]; withDeployment?: boolean }> = ({
  rows,
  withDeployment = false,
}) => {
  const columns: Columns<ThreadRow> = {
    Thread: ({ thread: { thread_id: id = "" }, deployment }) => (
      <a href={`/deployments/${deployment.id}/threads/${encodeURIComponent(id)}`}>
        <ShortId id={id} />
      </a>
    ),
    ...(withDeployment && DEPLOYMENT),
    Status: ({ thread: { status = "" } }) => <ThreadStatus status={status} />,
    Metadata: ({ thread: { metadata } }) => <Metadata metadata={metadata ?? {}} />,
    Updated: ({ thread: { updated_at = "" } }) => <Age at={updated_at} now={Date.now()} />,
    Created: ({ thread: { created_at = "" } }) => <Age at={created_at} now={Date.now()} />,
  };
  return <ColumnTable label="Threads" columns={columns} items={rows} />;
};

/** Whether a run works on the thread. */
export function isBusyThread({ status }: SelectedThread): boolean {
  return status === "busy";
}

const TONES = new Map<string, Tone>([
  ["busy", "busy"],
  ["error", "bad"],
  ["interrupted", "busy"],
]);

export const ThreadStatus: FC<{ status: string }> = ({ status }) => (
  <Badge label={{ text: plain(status), tone: TONES.get(status) ?? "quiet" }} />
);

/** The members of metadata. */
export const Metadata: FC<{ metadata: Readonly<Record<string, unknown>> }> = ({ metadata }) => (
  <ul class="names">
    {Object.entries(metadata).map(([name, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return (
        <li>
          <code>
            {plain(name)}={plain(text.length > 60 ? `${text.slice(0, 60)}…` : text)}
          </code>
        </li>
      );
    })}
  </ul>
);
