import type { FC } from "hono/jsx";
import type { RecentRequest } from "../admin/requests";
import { npxCommand } from "../platform/identity-file";
import { Live } from "./layout";
import type { PageParts } from "./parts";
import { Badge, type Columns, ColumnTable, Copyable, Empty, link, Search, Zone } from "./pieces";
import { count, duration, plain, type Tone } from "./words";

/** The requests to show. */
export interface RequestsQuery {
  readonly path: string;
  readonly method: string;
  readonly client: string;
  readonly failed: boolean;
  /** Leaves out what only reads. */
  readonly writes: boolean;
  /** Instead of the newest that match. */
  readonly all: boolean;
}

const SHOWN = 100;

export function requestsQueryOf(query: Readonly<Record<string, string>>): RequestsQuery {
  const { path = "", method = "", client = "", failed, writes, all } = query;
  const flags = { failed: failed === "yes", writes: writes === "yes", all: all === "yes" };
  return { path, method, client, ...flags };
}

/** The last requests to the control plane. */
export function requestsPage(parts: PageParts, query: RequestsQuery) {
  const { path, method, client, failed, writes } = query;
  const all = parts.admin.recentRequests.all();
  const methods = [...new Set(["GET", "POST", "PATCH", "DELETE", ...all.map((one) => one.method)])];
  const clients = [...new Set([client, ...all.map(clientOf)])].filter(Boolean).toSorted();
  return (
    <>
      <div class="heading">
        <h1>Requests</h1>
        <Search
          label="Search by path or name"
          name="path"
          value={path}
          placeholder="Part of the path, or a name"
        >
          <Choice label="Method" name="method" value={method} options={methods} all="All methods" />
          <Choice label="Client" name="client" value={client} options={clients} all="All clients" />
          <label class="check">
            <input type="checkbox" name="failed" value="yes" checked={failed} /> Failed only
          </label>
          <label class="check">
            <input type="checkbox" name="writes" value="yes" checked={writes} /> Hide GET
          </label>
        </Search>
      </div>
      <Live id="requests" stream={hrefOf(query, "/live/requests")}>
        {requestList(parts, query)}
      </Live>
    </>
  );
}

function hrefOf(query: RequestsQuery, page = "/requests"): string {
  const { path, method, client, failed, writes, all } = query;
  const flags = {
    failed: failed ? "yes" : "",
    writes: writes ? "yes" : "",
    all: all ? "yes" : "",
  };
  return link(page, { path, method, client, ...flags });
}

const Choice: FC<{
  label: string;
  name: string;
  value: string;
  options: readonly string[];
  all: string;
}> = ({ label, name, value, options, all }) => (
  <select name={name} aria-label={label}>
    <option value="">{all}</option>
    {options.map((option) => (
      <option value={option} selected={option === value}>
        {option}
      </option>
    ))}
  </select>
);

/** The live part: what is armed, and the requests. */
export function requestList({ admin, store, facts }: PageParts, query: RequestsQuery) {
  const all = admin.recentRequests.all();
  const nameOf = namesOf(store);
  const matching = all.filter((request) => fits(request, query, nameOf(request)));
  const shown = query.all ? matching : matching.slice(0, SHOWN);
  const columns: Columns<RecentRequest> = {
    Time: ({ atMs }) => {
      const at = new Date(atMs).toISOString();
      return (
        <time datetime={at} title={at}>
          {at.slice(11, 23)}
        </time>
      );
    },
    Method: ({ method }) => plain(method),
    Path: (request) => (
      <>
        <code>{plain(request.path)}</code>
        {nameOf(request) !== undefined && <small>{nameOf(request)}</small>}
      </>
    ),
    Status: ({ status }) => (
      <Badge label={{ text: String(status ?? "closed"), tone: toneOf(status) }} />
    ),
    Duration: ({ durationMs }) => duration(durationMs),
    Client: clientOf,
  };
  return (
    <>
      <Armed faults={admin.faults.waiting} outcomes={admin.outcomes()} />
      {all.length === 0 && (
        <Empty title="No requests yet.">
          <p>Requests to the control plane show up here as they come:</p>
          <Copyable text={npxCommand("list", facts.dataDir)} what="the command" />
        </Empty>
      )}
      {all.length > 0 && shown.length === 0 && <Empty title="No request matches." />}
      {shown.length > 0 && (
        <>
          <p class="hint">
            {count(matching.length)} of the last {count(all.length)} requests to the control plane,
            newest first. Times are <Zone />. Bodies and keys are not kept.
          </p>
          <ColumnTable
            label="Requests"
            kind="requests"
            columns={columns}
            classes={{ Method: "method", Path: "path", Duration: "number", Client: "client" }}
            items={shown}
            rowIdOf={({ number }) => `q-${number}`}
          />
          {shown.length < matching.length && (
            <p class="pages">
              <a href={hrefOf({ ...query, all: true })}>Show all {count(matching.length)}</a>
            </p>
          )}
        </>
      )}
    </>
  );
}

/** Finds the name of the deployment that a request names by its id, once for each id. */
function namesOf({ deployments }: PageParts["store"]) {
  const names = new Map<string, string | undefined>();
  return ({ path }: RecentRequest): string | undefined => {
    const id = /\/deployments\/([\da-f-]{36})/i.exec(path)?.[1]?.toLowerCase();
    if (id === undefined) return undefined;
    if (!names.has(id)) names.set(id, deployments.get(id)?.name);
    return names.get(id);
  };
}

function toneOf(status: number | undefined): Tone {
  if (status === undefined || status >= 500) return "bad";
  return status >= 400 ? "busy" : "good";
}

function fits(request: RecentRequest, query: RequestsQuery, name = ""): boolean {
  const { path, method, client, failed, writes } = query;
  if (writes && ["GET", "HEAD"].includes(request.method)) return false;
  if (failed && request.status !== undefined && request.status < 400) return false;
  if (method !== "" && request.method !== method) return false;
  if (client !== "" && clientOf(request) !== client) return false;
  return [request.path, name].some((text) => text.toLowerCase().includes(path.toLowerCase()));
}

const LONGEST_CLIENT = 40;

/** The sender of a request: `Pulumi`, `command line` and `SDK` of this package, else the first word of the `User-Agent`. */
function clientOf({ client = "unknown" }: RecentRequest): string {
  const ours = /^pulumi-agentserver \(([^)]+)\)/.exec(client)?.[1];
  return plain((ours ?? client.split(" ")[0] ?? "").slice(0, LONGEST_CLIENT));
}

const Armed: FC<{
  faults: PageParts["admin"]["faults"]["waiting"];
  outcomes: ReturnType<PageParts["admin"]["outcomes"]>;
}> = ({ faults, outcomes }) => {
  if (faults.length + outcomes.length === 0) return null;
  return (
    <section class="armed" aria-labelledby="armed-title">
      <h2 id="armed-title">Armed by the admin API</h2>
      <ul>
        {faults.map(({ match, action, status, delayMs, times }) => (
          <li>
            <b>{action === "status" ? `status ${status}` : action}</b>
            {action === "delay" && ` of ${duration(delayMs)}`} for the next{" "}
            {times === 1 ? "request" : `${count(times)} requests`}:{" "}
            <code>
              {plain(match.method ?? "any method")} {plain(match.path ?? "any path")}
            </code>
          </li>
        ))}
        {outcomes.map(({ deploymentId, stage, status, reason }) => (
          <li>
            <b>{status}</b> at the next {stage} of{" "}
            {deploymentId === undefined ? (
              "any deployment"
            ) : (
              <a href={`/deployments/${deploymentId}`}>{deploymentId}</a>
            )}
            : {plain(reason)}
          </li>
        ))}
      </ul>
    </section>
  );
};
