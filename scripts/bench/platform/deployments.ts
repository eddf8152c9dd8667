import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { send, sendAll, type Request } from "../load";
import type { Address } from "../servers";

const PAGE = 100;
const CLIENTS = 8;
const POLL_MS = 50;

const Page = z.object({
  resources: z.array(
    z.object({ id: z.string(), status: z.string(), active_revision_id: z.string().nullable() }),
  ),
  offset: z.int(),
});
const Integrations = z.tuple([z.object({ id: z.string() })]);

/** The first list page, of as many deployments as the smaller platform has. */
export const FIRST_PAGE: Request = { method: "GET", path: "/v2/deployments?limit=10", status: 200 };

/** The request for one deployment. */
export function getOne(id: string): Request {
  return { method: "GET", path: `/v2/deployments/${id}`, status: 200 };
}

/** The request that creates a deployment. */
export function createOne(name: string, integrationId: string): Request {
  const body = {
    name,
    source: "git_host",
    source_config: {
      integration_id: integrationId,
      repo_url: "https://git.example.com/acme/support.git",
      deployment_type: "dev",
    },
    source_revision_config: { repo_ref: "main", graph_config_path: "langgraph.json" },
    secrets: [{ name: "LOG_LEVEL", value: "info" }],
  };
  return { method: "POST", path: "/v2/deployments", body, status: 201 };
}

/** The id of the integration that a new data folder holds. */
export async function integrationOf(server: Address, signal: AbortSignal): Promise<string> {
  const path = "/v1/integrations/git_host/install";
  const answer = await send(server, { method: "GET", path, status: 200 }, { signal });
  return Integrations.parse(JSON.parse(answer))[0].id;
}

/** Creates so many deployments through the API and waits until the newest of them run. */
export async function populate(server: Address, count: number, signal: AbortSignal): Promise<void> {
  const integrationId = await integrationOf(server, signal);
  const requests = Array.from({ length: count }, (_, index) =>
    createOne(`agent-${String(index).padStart(6, "0")}`, integrationId),
  );
  await sendAll(server, requests, { clients: CLIENTS, signal });
  const isSettled = async () =>
    (await listPage(server, `limit=${CLIENTS}`, signal)).resources.every(
      ({ active_revision_id: active }) => active !== null,
    );
  while (!(await isSettled())) await sleep(POLL_MS, undefined, { signal });
}

/** The ids of all deployments. */
export async function allIds(server: Address, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const query = `limit=${PAGE}&offset=${ids.length}`;
    const { resources } = await listPage(server, query, signal);
    ids.push(...resources.map(({ id }) => id));
    if (resources.length < PAGE) return ids;
  }
}

/** Deletes the deployments whose names begin with this, and waits until they are gone. */
export async function removeNamed(
  server: Address,
  prefix: string,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const query = `limit=${PAGE}&name_contains=${prefix}`;
    const { resources } = await listPage(server, query, signal);
    if (resources.length === 0) return;
    const requests = resources
      .filter(({ status }) => status !== "AWAITING_DELETE")
      .map(({ id }): Request => ({ method: "DELETE", path: `/v2/deployments/${id}`, status: 204 }));
    await sendAll(server, requests, { clients: CLIENTS, signal });
    await sleep(POLL_MS, undefined, { signal });
  }
}

async function listPage(server: Address, query: string, signal: AbortSignal) {
  const path = `/v2/deployments?${query}`;
  const answer = await send(server, { method: "GET", path, status: 200 }, { signal });
  return Page.parse(JSON.parse(answer));
}
