import type { FC } from "hono/jsx";
import type { SelectedThread } from "../../sdk/schema/thread";
import type { StoredDeployment } from "../store";
import { Age, Badge, ListTable, ShortId } from "./pieces";
import { plain, type Tone } from "./words";

/** A thread and the deployment on whose server it is. */
export interface ThreadRow {
  readonly thread: SelectedThread;
  readonly deployment: Pick<StoredDeployment, "id" | "name">;
}

/** Threads, one a row. */
export const ThreadTable: FC<{ rows: readonly ThreadRow[]; withDeployment?: boolean }> = ({
  rows,
  withDeployment = false,
}) => {
  const titles = ["Thread", "Status", "Metadata", "Updated", "Created"];
  return (
    <ListTable
      label="Threads"
      titles={withDeployment ? ["Thread", "Deployment", ...titles.slice(1)] : titles}
    >
      {rows.map((row) => (
        <Row row={row} withDeployment={withDeployment} />
      ))}
    </ListTable>
  );
};

const Row: FC<{ row: ThreadRow; withDeployment: boolean }> = ({ row, withDeployment }) => {
  const { thread_id: id = "", status = "", metadata, updated_at, created_at } = row.thread;
  const { deployment } = row;
  return (
    <tr role="row">
      <td role="cell" class="name">
        <a href={`/deployments/${deployment.id}/threads/${encodeURIComponent(id)}`}>
          <ShortId id={id} />
        </a>
      </td>
      {withDeployment && (
        <td role="cell" class="deployment-name" data-label="Deployment">
          <a href={`/deployments/${deployment.id}`}>{deployment.name}</a>
        </td>
      )}
      <td role="cell" data-label="Status">
        <ThreadStatus status={status} />
      </td>
      <td role="cell" data-label="Metadata">
        <Metadata metadata={metadata ?? {}} />
      </td>
      <td role="cell" data-label="Updated">
        <Age at={updated_at ?? ""} now={Date.now()} />
      </td>
      <td role="cell" data-label="Created">
        <Age at={created_at ?? ""} now={Date.now()} />
      </td>
    </tr>
  );
};

/** Whether a run works on the thread. */
export function isBusyThread({ status }: SelectedThread): boolean {
  return status === "busy";
}

const TONES: Readonly<Record<string, Tone>> = { busy: "busy", error: "bad", interrupted: "busy" };

export const ThreadStatus: FC<{ status: string }> = ({ status }) => (
  <Badge label={{ text: plain(status), tone: TONES[status] ?? "quiet" }} />
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
