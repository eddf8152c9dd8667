import type { FC } from "hono/jsx";
import type { ServerStatus } from "../drivers/driver";
import { npxCommand } from "../platform/identity-file";
import type { OverviewFilter, OverviewRow } from "../store";
import { failureOf, shortFailure } from "./failure";
import { Live } from "./layout";
import type { PageParts } from "./parts";
import {
  Age,
  Badge,
  Breakable,
  Copyable,
  Empty,
  link,
  ColumnTable,
  type Columns,
  Pages,
  Search,
  Tabs,
} from "./pieces";
import {
  count,
  deploymentLabel,
  megabytes,
  plain,
  revisionLabel,
  serverLabel,
  shortCommit,
  shortId,
  shortImage,
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
export async function deploymentList({ store, driver, clock, facts }: PageParts, query: ListQuery) {
  const offset = (query.page - 1) * PAGE_SIZE;
  const rows = store.overview.list(query, PAGE_SIZE, offset);
  const counts = store.overview.counts(query.search);
  const total = counts[query.group];
  const servers = await driver.servers(rows.map(({ id }) => id));
  const names = { all: "All", "in-progress": "In progress", failed: "Failed" } as const;
  const groups = (["all", "in-progress", "failed"] as const).map((group) => ({
    name: `${names[group]} ${count(counts[group])}`,
    href: hrefOf({ ...query, group, page: 1 }),
    isCurrent: group === query.group,
  }));
  const isEmpty = counts.all === 0 && !query.search;
  const withWorkspace = store.workspaces.all().length > 1;
  const now = clock.now();
  const columns: Columns<OverviewRow> = {
    Name: ({ id, name, workspace }) => (
      <>
        <a id={`a-${id}`} class="deployment-name" href={`/deployments/${id}`}>
          {name}
        </a>
        {withWorkspace && <small>{plain(workspace)}</small>}
      </>
    ),
    Status: ({ status, active_id, latest_status }) => (
      <Badge label={deploymentLabel(status, active_id, latest_status)} title={status} />
    ),
    Serves: (row) => <Serves row={row} />,
    "Newest revision": ({ latest_id, latest_status, latest_created_at, latest_pushed }) => {
      const failure = shortFailure(failureOf(store, { id: latest_id, status: latest_status }));
      return (
        <>
          <Badge label={revisionLabel(latest_status)} title={latest_status} />
          <small>
            <Age at={latest_created_at} now={now} />
            {latest_pushed && ", from a push"}
          </small>
          {failure && <small class="reason">{failure}</small>}
        </>
      );
    },
    "Agent server": ({ id }) => <ServerState server={servers.get(id)} />,
    Created: ({ created_at }) => <Age at={created_at} now={now} />,
  };
  return (
    <>
      {!isEmpty && <Tabs label="Which deployments" tabs={groups} />}
      {rows.length > 0 && (
        <ColumnTable
          label="Deployments"
          columns={columns}
          items={rows}
          rowIdOf={({ id }) => `d-${id}`}
        />
      )}
      {rows.length === 0 &&
        (isEmpty ? <NoDeployments facts={facts} /> : <Empty title="No deployment matches." />)}
      <Pages
        offset={offset}
        size={PAGE_SIZE}
        total={total}
        hasNext={offset + PAGE_SIZE < total}
        hrefAt={(at) => hrefOf({ ...query, page: at / PAGE_SIZE + 1 })}
      />
    </>
  );
}

const Serves: FC<{ row: OverviewRow }> = ({ row }) => {
  if (row.active_id === null) return <span class="none">nothing yet</span>;
  const source = plain(row.active_image ?? row.active_ref ?? "");
  return (
    <>
      <bdi class="source" title={source}>
        <Breakable text={shortImage(source) || `revision ${shortId(row.active_id)}`} />
      </bdi>
      <small>
        {row.active_commit && (
          <code title={row.active_commit}>{shortCommit(row.active_commit)}</code>
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

const NoDeployments: FC<Pick<PageParts, "facts">> = ({ facts }) => (
  <Empty title="No deployments yet.">
    <p>In the folder of a Pulumi program, point it here and deploy:</p>
    <ol class="steps">
      <li>
        <Copyable text={`eval "$(${npxCommand("env", facts.dataDir)})"`} what="the first command" />
      </li>
      <li>
        <Copyable text="pulumi up" what="the second command" />
      </li>
    </ol>
    <p>This page shows the deployment as soon as it is created.</p>
  </Empty>
);
