import type { FC } from "hono/jsx";
import type { ServerStatus } from "../drivers/driver";
import type { OverviewFilter, OverviewRow } from "../store";
import { Live } from "./layout";
import type { PageParts } from "./parts";
import { Age, Badge, Copyable, Empty, link, ListTable, Search, Tabs } from "./pieces";
import {
  count,
  deploymentLabel,
  megabytes,
  plain,
  revisionLabel,
  serverLabel,
  shortId,
} from "./words";

const PAGE_SIZE = 50;

/** The query of the list of deployments. */
export interface ListQuery extends OverviewFilter {
  /** From 1. */
  readonly page: number;
}

export function listQueryOf(query: Readonly<Record<string, string>>): ListQuery {
  const { q, show } = query;
  return {
    search: q,
    group: show === "in-progress" || show === "failed" ? show : "all",
    page: Math.min(Math.max(Math.trunc(Number(query["page"])) || 1, 1), 1_000_000),
  };
}

function hrefOf({ search, group, page }: ListQuery, path = "/"): string {
  const show = group === "all" ? undefined : group;
  return link(path, { q: search, show, page: page > 1 ? page : undefined });
}

/** All deployments. */
export async function deploymentsPage(parts: PageParts, query: ListQuery) {
  return (
    <>
      <div class="heading">
        <h1>Deployments</h1>
        <Search
          label="Search deployments by name or id"
          name="q"
          value={query.search ?? ""}
          placeholder="Name or id"
        >
          {query.group !== "all" && <input type="hidden" name="show" value={query.group} />}
        </Search>
      </div>
      <Live id="deployments" stream={hrefOf(query, "/live/deployments")}>
        {await deploymentList(parts, query)}
      </Live>
    </>
  );
}

/** The live part of the list. */
export async function deploymentList({ store, driver, clock }: PageParts, query: ListQuery) {
  const rows = store.overview.list(query, PAGE_SIZE, (query.page - 1) * PAGE_SIZE);
  const counts = store.overview.counts(query.search);
  const servers = await driver.servers(rows.map(({ id }) => id));
  const names = { all: "All", "in-progress": "In progress", failed: "Failed" } as const;
  const groups = (["all", "in-progress", "failed"] as const).map((group) => ({
    name: `${names[group]} ${count(counts[group])}`,
    href: hrefOf({ ...query, group, page: 1 }),
    isCurrent: group === query.group,
  }));
  const isEmpty = counts.all === 0 && !query.search;
  const withWorkspace = store.workspaces.all().length > 1;
  return (
    <>
      {!isEmpty && <Tabs label="Which deployments" tabs={groups} />}
      {rows.length > 0 && (
        <ListTable
          label="Deployments"
          titles={["Name", "Status", "Serves", "Newest revision", "Agent server", "Created"]}
        >
          {rows.map((row) => (
            <Row
              row={row}
              server={servers.get(row.id)}
              now={clock.now()}
              withWorkspace={withWorkspace}
            />
          ))}
        </ListTable>
      )}
      {rows.length === 0 &&
        (isEmpty ? <NoDeployments /> : <Empty title="No deployment matches." />)}
      <Pages query={query} total={counts[query.group]} />
    </>
  );
}

const Row: FC<{
  row: OverviewRow;
  server: ServerStatus | undefined;
  now: number;
  withWorkspace: boolean;
}> = ({ row, server, now, withWorkspace }) => (
  <tr role="row" id={`d-${row.id}`}>
    <td role="cell" class="name">
      <a id={`a-${row.id}`} href={`/deployments/${row.id}`}>
        {row.name}
      </a>
      {withWorkspace && <small>{plain(row.workspace)}</small>}
    </td>
    <td role="cell" data-label="Status">
      <Badge label={deploymentLabel(row.status, row.active_id)} title={row.status} />
    </td>
    <td role="cell" data-label="Serves">
      <Serves row={row} />
    </td>
    <td role="cell" data-label="Newest revision">
      <Badge label={revisionLabel(row.latest_status)} title={row.latest_status} />
      <small>
        <Age at={row.latest_created_at} now={now} />
        {row.latest_pushed && ", from a push"}
      </small>
    </td>
    <td role="cell" data-label="Agent server">
      <ServerState server={server} />
    </td>
    <td role="cell" data-label="Created">
      <Age at={row.created_at} now={now} />
    </td>
  </tr>
);

const Serves: FC<{ row: OverviewRow }> = ({ row }) => {
  if (row.active_id === null) return <span class="none">nothing yet</span>;
  const source = row.active_image ?? row.active_ref ?? "";
  return (
    <>
      <bdi class="source" title={plain(source)}>
        {plain(source) || `revision ${shortId(row.active_id)}`}
      </bdi>
      <small>
        {row.active_commit && (
          <code title={row.active_commit}>{row.active_commit.slice(0, 7)}</code>
        )}
        {row.active_id !== row.latest_id && " an older revision"}
      </small>
    </>
  );
};

/** The state of an agent server, its memory and its crashes. */
export const ServerState: FC<{ server: ServerStatus | undefined }> = ({ server }) => {
  if (!server) return <span class="none">none</span>;
  const facts = [
    server.memoryBytes !== undefined && megabytes(server.memoryBytes),
    server.crashes > 0 && `${server.crashes} ${server.crashes === 1 ? "restart" : "restarts"}`,
  ].filter(Boolean);
  return (
    <>
      <Badge label={serverLabel(server.state)} title={server.reason && plain(server.reason)} />
      {facts.length > 0 && <small>{facts.join(", ")}</small>}
    </>
  );
};

const NoDeployments: FC = () => (
  <Empty title="No deployments yet.">
    <p>In the folder of a Pulumi program, point it here and deploy:</p>
    <ol class="steps">
      <li>
        <Copyable text={'eval "$(npx pulumi-agentserver env)"'} what="the first command" />
      </li>
      <li>
        <Copyable text="pulumi up" what="the second command" />
      </li>
    </ol>
    <p>This page shows the deployment as soon as it is created.</p>
  </Empty>
);

const Pages: FC<{ query: ListQuery; total: number }> = ({ query, total }) => {
  const first = (query.page - 1) * PAGE_SIZE + 1;
  const last = Math.min(query.page * PAGE_SIZE, total);
  if (total <= PAGE_SIZE && query.page === 1) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {query.page > 1 && (
        <a rel="prev" href={hrefOf({ ...query, page: query.page - 1 })}>
          Newer
        </a>
      )}
      <span>
        {first > total ? "none" : `${count(first)}–${count(last)}`} of {count(total)}
      </span>
      {last < total && (
        <a rel="next" href={hrefOf({ ...query, page: query.page + 1 })}>
          Older
        </a>
      )}
    </nav>
  );
};
