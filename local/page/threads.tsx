import type { FC } from "hono/jsx";
import type { SelectedThread } from "../../sdk/schema/thread";
import type { StoredDeployment } from "../store";
import { agentView, ListHeading, threadChanges, type View } from "./agent-view";
import { Live } from "./layout";
import type { PageParts } from "./parts";
import { Copyable, Empty, link, Pages, Search, Tabs } from "./pieces";
import { isBusyThread, ThreadTable } from "./thread-table";
import {
  countThreads,
  findThreads,
  parseThreadSearch,
  refusal,
  THREAD_STATUSES,
  type ThreadStatusName,
} from "./thread-search";
import { plain } from "./words";

const PAGE_SIZE = 50;

/** The query of a list of threads. */
export interface ThreadsQuery {
  /** Metadata and parts of ids, as people write them. */
  readonly search: string;
  /** @default any */
  readonly status?: ThreadStatusName | undefined;
  readonly offset: number;
  /** Starts a stopped server. */
  readonly start: boolean;
}

export function threadsQueryOf(query: Readonly<Record<string, string>>): ThreadsQuery {
  const offset = Math.trunc(Number(query["offset"])) || 0;
  return {
    search: query["metadata"]?.trim() ?? "",
    status: THREAD_STATUSES.find((status) => status === query["status"]),
    offset: Math.min(Math.max(offset, 0), 1_000_000),
    start: query["start"] === "yes",
  };
}

/** The link to a list of threads. */
export function threadsHref(path: string, query: Omit<ThreadsQuery, "start">): string {
  const { search: metadata, status, offset } = query;
  return link(path, { metadata, status, offset: offset || undefined });
}

/** The threads of one deployment. */
export async function deploymentThreadsPage(
  parts: PageParts,
  deployment: StoredDeployment,
  query: ThreadsQuery,
): Promise<View> {
  const path = `/deployments/${deployment.id}/threads`;
  const list = await threadList(parts, deployment, query);
  const content = (
    <>
      <ListHeading title="Threads" deployment={deployment}>
        <ThreadSearchField query={query} />
      </ListHeading>
      <StatusTabs query={query} path={path} />
      <Live id="threads" stream={threadsHref(`/live${path}`, query)}>
        {list.content}
      </Live>
    </>
  );
  return { ...list, content };
}

/** The live list, and the changes to follow. A stopped server is not started for it. */
export function liveThreads(parts: PageParts, deployment: StoredDeployment, query: ThreadsQuery) {
  let isBusy = false;
  const render = async () => {
    const seen = (threads: readonly SelectedThread[]) => (isBusy = threads.some(isBusyThread));
    return (await threadList(parts, deployment, { ...query, start: false }, seen)).content;
  };
  const state = () => `${parts.admin.activity.of(deployment.id)}`;
  return { render, watch: threadChanges(state, () => isBusy) };
}

/** Searches threads by metadata or ids. */
export const ThreadSearchField: FC<{ query: ThreadsQuery }> = ({ query }) => (
  <Search
    label="Search threads by metadata or id"
    name="metadata"
    value={query.search}
    placeholder="user=ada, or an id"
  >
    {query.status && <input type="hidden" name="status" value={query.status} />}
  </Search>
);

export const StatusTabs: FC<{ query: ThreadsQuery; path: string }> = ({ query, path }) => (
  <Tabs
    label="Which threads"
    tabs={[undefined, ...THREAD_STATUSES].map((status) => ({
      name: status === undefined ? "All" : status.charAt(0).toUpperCase() + status.slice(1),
      href: threadsHref(path, { ...query, status, offset: 0 }),
      isCurrent: status === query.status,
    }))}
  />
);

/** Why a search was not sent. */
export const Refused: FC<{ reason: string }> = ({ reason }) => (
  <p class="problem" role="alert">
    {plain(reason)}
  </p>
);

async function threadList(
  parts: PageParts,
  deployment: StoredDeployment,
  { search: text, status, offset, start }: ThreadsQuery,
  seen: (threads: readonly SelectedThread[]) => void = () => {},
): Promise<View> {
  const path = `/deployments/${deployment.id}/threads`;
  const search = parseThreadSearch(text);
  const refused = refusal(search);
  if (refused) return { content: <Refused reason={refused} />, status: 400 };
  const request = { start, path, notFound: "The agent server has no threads." };
  return agentView(parts, deployment, request, async (agent) => {
    const page = { status, limit: PAGE_SIZE, offset };
    const { threads, hasNext } = await findThreads(agent, search, page);
    seen(threads);
    if (threads.length === 0)
      return (
        <Empty title={text || status || offset ? "No thread matches." : "No threads yet."}>
          {!text && !status && (
            <Copyable text={`curl ${deployment.url}/threads --json '{}'`} what="the command" />
          )}
        </Empty>
      );
    const isWhole = offset === 0 && !hasNext;
    return (
      <>
        <ThreadTable rows={threads.map((thread) => ({ thread, deployment }))} />
        <Pages
          offset={offset}
          size={PAGE_SIZE}
          total={isWhole ? undefined : await countThreads(agent, search, status)}
          hasNext={hasNext}
          hrefAt={(at) => threadsHref(path, { search: text, status, offset: at })}
        />
      </>
    );
  });
}
