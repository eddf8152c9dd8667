import { messageOf } from "../../shared/errors";
import type { OverviewRow } from "../store";
import { openAgent, threadChanges, type View } from "./agent-view";
import { ServerState } from "./deployments";
import { Live } from "./layout";
import type { PageParts } from "./parts";
import { Age, type Columns, ColumnTable, Empty, link, Pages, Search } from "./pieces";
import { isBusyThread, type ThreadRow, ThreadTable } from "./thread-table";
import { findThreads, parseThreadSearch, refusal } from "./thread-search";
import { Refused, StatusTabs, threadsHref, ThreadSearchField, type ThreadsQuery } from "./threads";
import { count, plural } from "./words";

const PATH = "/threads";
const PAGE_SIZE = 50;
/** Each server is asked for all pages up to the one shown: older threads are in the lists of their deployments. */
const MOST_MERGED = 1000;

/** The query of the threads of all deployments. */
export interface AllThreadsQuery extends ThreadsQuery {
  /** A part of the name of a deployment. */
  readonly deployment: string;
  /** Of the deployments, from 1. */
  readonly page: number;
}

/** The threads of all running agent servers, and the deployments that serve. */
export async function allThreadsPage(parts: PageParts, query: AllThreadsQuery): Promise<View> {
  const refused = refusal(parseThreadSearch(query.search));
  const content = (
    <>
      <div class="heading">
        <h1>Threads</h1>
        <ThreadSearchField query={query} />
      </div>
      <StatusTabs query={query} path={PATH} />
      {refused ? (
        <Refused reason={refused} />
      ) : (
        <Live id="threads" stream={threadsHref(`/live${PATH}`, query)}>
          {await newestThreads(parts, query)}
        </Live>
      )}
      {await servingDeployments(parts, query)}
    </>
  );
  return { content, status: refused ? 400 : 200 };
}

/** The live list, and the changes to follow. */
export function liveAllThreads(parts: PageParts, query: ThreadsQuery) {
  let isBusy = false;
  const seen = (rows: readonly ThreadRow[]) =>
    (isBusy = rows.some(({ thread }) => isBusyThread(thread)));
  const watch = threadChanges(
    () => `${parts.admin.activity.all}`,
    () => isBusy,
  );
  return { render: () => newestThreads(parts, query, seen), watch };
}

async function newestThreads(
  parts: PageParts,
  query: ThreadsQuery,
  seen: (rows: readonly ThreadRow[]) => void = () => {},
) {
  const serving = parts.store.overview.serving();
  const servers = await parts.driver.servers(serving);
  const running = serving.filter((id) => servers.get(id)?.state === "running");
  const answers = await Promise.all(running.map((id) => threadsOf(parts, id, query)));
  const all = answers.flatMap(({ rows }) => rows).toSorted(byUpdate);
  const rows = all.slice(query.offset, query.offset + PAGE_SIZE);
  seen(rows);
  const stopped = [...servers.values()].filter(({ state }) => state === "stopped").length;
  const { search, status, offset } = query;
  const next = offset + PAGE_SIZE;
  return (
    <>
      {answers.map(({ problem }) => problem && <Refused reason={problem} />)}
      {rows.length === 0 && (
        <Empty title={search || status || offset ? "No thread matches." : "No threads to show."} />
      )}
      {rows.length > 0 && <ThreadTable rows={rows} withDeployment />}
      <Pages
        offset={offset}
        size={PAGE_SIZE}
        hasNext={all.length > next && next < MOST_MERGED}
        hrefAt={(at) => threadsHref(PATH, { search, status, offset: at })}
      />
      <p class="hint">
        The threads of {plural(running.length, "running agent server")}, those updated last first.
        {stopped > 0 &&
          ` ${plural(stopped, "server")} that ${stopped === 1 ? "is" : "are"} stopped keep theirs: choose the deployment below.`}
      </p>
    </>
  );
}

async function threadsOf(
  parts: PageParts,
  id: string,
  { search, status, offset }: ThreadsQuery,
): Promise<{ rows: ThreadRow[]; problem?: string }> {
  const deployment = parts.store.deployments.get(id);
  if (!deployment) return { rows: [] };
  try {
    const agent = await openAgent(parts, deployment);
    const limit = Math.min(offset + PAGE_SIZE + 1, MOST_MERGED - 1);
    const page = { status, limit, offset: 0 };
    const { threads } = await findThreads(agent, parseThreadSearch(search), page);
    return { rows: threads.map((thread) => ({ thread, deployment })) };
  } catch (error) {
    return { rows: [], problem: `${deployment.name}: ${messageOf(error)}` };
  }
}

function byUpdate(one: ThreadRow, other: ThreadRow): number {
  return (other.thread.updated_at ?? "").localeCompare(one.thread.updated_at ?? "");
}

async function servingDeployments({ store, driver, clock }: PageParts, query: AllThreadsQuery) {
  const { deployment: search, page } = query;
  const offset = (page - 1) * PAGE_SIZE;
  const rows = store.overview.list({ search, group: "serving" }, PAGE_SIZE, offset);
  const { serving, all } = store.overview.counts(search);
  const servers = await driver.servers(rows.map(({ id }) => id));
  const columns: Columns<OverviewRow> = {
    Name: ({ id, name }) => <a href={`/deployments/${id}/threads`}>{name}</a>,
    "Agent server": ({ id }) => <ServerState server={servers.get(id)} />,
    Created: ({ created_at }) => <Age at={created_at} now={clock.now()} />,
  };
  return (
    <section id="serving" aria-labelledby="serving-title">
      <div class="heading">
        <h2 id="serving-title">
          Deployments that serve <small>{count(serving)}</small>
        </h2>
        <Search
          label="Search deployments by name or id"
          name="q"
          value={search}
          placeholder="Deployment"
        />
      </div>
      {rows.length > 0 && (
        <ColumnTable label="Deployments that serve" columns={columns} items={rows} />
      )}
      {rows.length === 0 && (
        <Empty title={search ? "No deployment that serves matches." : "No deployment serves yet."}>
          {!search && all === 0 && <p>Threads are kept by agent servers. Deploy one first.</p>}
        </Empty>
      )}
      <Pages
        offset={offset}
        size={PAGE_SIZE}
        total={serving}
        hasNext={offset + PAGE_SIZE < serving}
        hrefAt={(at) => `${link(PATH, { q: search, page: at / PAGE_SIZE + 1 })}#serving`}
      />
    </section>
  );
}
