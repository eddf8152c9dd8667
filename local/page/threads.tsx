import { setTimeout as sleep } from "node:timers/promises";
import type { FC } from "hono/jsx";
import type { SelectedThread } from "../../sdk/schema/thread";
import { messageOf } from "../../shared/errors";
import type { StoredDeployment } from "../store";
import { AgentError, AgentReader } from "./agent-reader";
import type { ListQuery } from "./deployments";
import type { PageParts } from "./parts";
import { Age, Badge, Copyable, Empty, link, ListTable, Search } from "./pieces";
import { plain, shortId, type Tone } from "./words";

const PAGE_SIZE = 50;
const START_LIMIT_MS = 30_000;

/** The deployments whose threads can be read. */
export function threadsPage({ store, clock }: PageParts, query: ListQuery) {
  const rows = store.overview
    .list(query, PAGE_SIZE, 0)
    .filter(({ active_id }) => active_id !== null);
  return (
    <>
      <div class="heading">
        <h1>Threads</h1>
        <Search
          label="Search deployments by name or id"
          name="q"
          value={query.search ?? ""}
          placeholder="Deployment"
        />
      </div>
      {rows.length > 0 && <p>Threads belong to a deployment. Choose one:</p>}
      <ul class="choices">
        {rows.map(({ id, name, created_at }) => (
          <li>
            <a href={`/deployments/${id}/threads`}>{name}</a>
            <small>
              created <Age at={created_at} now={clock.now()} />
            </small>
          </li>
        ))}
      </ul>
      {rows.length === 0 && (
        <Empty
          title={query.search ? "No deployment that serves matches." : "No deployment serves yet."}
        >
          <p>Threads are kept by agent servers. Deploy one first.</p>
        </Empty>
      )}
    </>
  );
}

/** The query of a deployment's list of threads. */
export interface ThreadsQuery {
  readonly metadata: string;
  readonly offset: number;
  /** Whether a stopped server is started for it. */
  readonly start: boolean;
}

export function threadsQueryOf(query: Readonly<Record<string, string>>): ThreadsQuery {
  const offset = Math.trunc(Number(query["offset"])) || 0;
  return {
    metadata: query["metadata"] ?? "",
    offset: Math.min(Math.max(offset, 0), 1_000_000),
    start: query["start"] === "yes",
  };
}

/** `user=ada tier=1 "a b"=c` as metadata: values that are JSON count as such. */
export function parseMetadata(text: string): Record<string, unknown> {
  const words = text.match(/"[^"]*"(?:="[^"]*"|=[^\s"]*)?|[^\s"]+(?:"[^"]*")?/g) ?? [];
  const pairs = words.flatMap((word) => {
    const [name = "", ...value] = word.split("=");
    return value.length > 0 ? [[unquoted(name), jsonOr(value.join("="))]] : [];
  });
  return Object.fromEntries(pairs);
}

function unquoted(name: string): string {
  return name.replaceAll('"', "");
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The threads of one deployment. */
export async function deploymentThreadsPage(
  parts: PageParts,
  deployment: StoredDeployment,
  query: ThreadsQuery,
) {
  const path = `/deployments/${deployment.id}/threads`;
  return (
    <>
      <div class="heading">
        <h1>
          Threads{" "}
          <small>
            of <a href={`/deployments/${deployment.id}`}>{deployment.name}</a>
          </small>
        </h1>
        <Search
          label="Search threads by metadata or id"
          name="metadata"
          value={query.metadata}
          placeholder="user=ada, or an id"
        />
      </div>
      {await withAgent(parts, deployment, query.start, path, async (agent) => {
        const threads = await agent.search({
          metadata: parseMetadata(query.metadata),
          limit: PAGE_SIZE + 1,
          offset: query.offset,
          sort_by: "updated_at",
          sort_order: "desc",
          select: ["thread_id", "status", "metadata", "created_at", "updated_at"],
        });
        return <ThreadList {...{ threads, path, query, url: deployment.url }} />;
      })}
    </>
  );
}

const ThreadList: FC<{
  threads: readonly SelectedThread[];
  path: string;
  query: ThreadsQuery;
  url: string;
}> = ({ threads, path, query, url }) => {
  const { metadata, offset } = query;
  if (threads.length === 0)
    return (
      <Empty title={metadata || offset ? "No thread matches." : "No threads yet."}>
        {!metadata && <Copyable text={`curl ${url}/threads --json '{}'`} what="the command" />}
      </Empty>
    );
  return (
    <>
      <ListTable label="Threads" titles={["Thread", "Status", "Metadata", "Updated", "Created"]}>
        {threads.slice(0, PAGE_SIZE).map((thread) => (
          <Row thread={thread} path={path} />
        ))}
      </ListTable>
      <nav class="pages" aria-label="Pages">
        {offset > 0 && (
          <a rel="prev" href={link(path, { metadata, offset: Math.max(offset - PAGE_SIZE, 0) })}>
            Newer
          </a>
        )}
        {threads.length > PAGE_SIZE && (
          <a rel="next" href={link(path, { metadata, offset: offset + PAGE_SIZE })}>
            Older
          </a>
        )}
      </nav>
    </>
  );
};

const Row: FC<{ thread: SelectedThread; path: string }> = ({ thread, path }) => {
  const { thread_id: id = "", status = "", metadata, updated_at, created_at } = thread;
  return (
    <tr role="row">
      <td role="cell" class="name">
        <a href={`${path}/${encodeURIComponent(id)}`} title={plain(id)}>
          {plain(shortId(id))}
        </a>
      </td>
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

const TONES: Readonly<Record<string, Tone>> = { busy: "busy", error: "bad", interrupted: "bad" };

export const ThreadStatus: FC<{ status: string }> = ({ status }) => (
  <Badge label={{ text: plain(status), tone: TONES[status] ?? "quiet" }} />
);

/** The members of a thread's metadata. */
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

/** Shows what an agent server answers, or why it does not. A stopped server is started only if that was asked for. */
export async function withAgent(
  { driver }: PageParts,
  { id, active_revision_id, secrets }: StoredDeployment,
  start: boolean,
  path: string,
  show: (agent: AgentReader) => Promise<unknown>,
) {
  if (active_revision_id === null)
    return <Empty title="No revision of this deployment serves yet." />;
  const server = (await driver.servers([id])).get(id);
  if (server?.state === "stopped" && !start)
    return (
      <Empty title="The agent server is stopped.">
        <p>
          It keeps its threads. <a href={link(path, { start: "yes" })}>Start it and read them</a>
        </p>
      </Empty>
    );
  try {
    const late = sleep(START_LIMIT_MS, undefined, { ref: false }).then(() => {
      throw new AgentError("it is still starting; reload this page");
    });
    return await show(new AgentReader(await Promise.race([driver.origin(id), late]), secrets));
  } catch (error) {
    return (
      <Empty title="The agent server did not answer.">
        <p class="problem">{plain(messageOf(error))}</p>
      </Empty>
    );
  }
}
