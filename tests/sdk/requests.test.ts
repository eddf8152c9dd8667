import { expect } from "chai";
import * as sdk from "pulumi-agentserver/sdk";
import { aClock } from "../support/builders";
import { json, startServer, type TestServer } from "../support/http";
import { reasonOf, rejection } from "../support/rejection";

/** What is sent, and what an error calls it → the method of the client. */
type Requests<Client> = Readonly<
  Record<string, (client: Client, options?: sdk.CallOptions) => Promise<unknown>>
>;

async function first(items: AsyncIterable<unknown>): Promise<unknown> {
  for await (const item of items) return item;
  return undefined;
}

const DEPLOYMENT: sdk.CreateDeployment = {
  name: "n",
  source: "git_host",
  source_config: {},
  source_revision_config: {},
  secrets: [],
};
const OAUTH = { provider_id: "p", name: "n", client_id: "c", client_secret: "s" };
const URLS = { auth_url: "https://a.example.com", token_url: "https://t.example.com" };

const CONTROL_PLANE: Requests<sdk.ControlPlane> = {
  "POST /v2/deployments: create deployment 'n'": (c, o) => c.deployments.create(DEPLOYMENT, o),
  "GET /v2/deployments/d: get deployment 'd'": (c, o) => c.deployments.get("d", o),
  "GET /v2/deployments?name_contains=n&tag_value_ids=a,b&limit=100&offset=0: list deployments": (
    c,
    o,
  ) => first(c.deployments.list({ name_contains: "n", tag_value_ids: ["a", "b"] }, o)),
  "PATCH /v2/deployments/d: update deployment 'd'": (c, o) => c.deployments.update("d", {}, o),
  "DELETE /v2/deployments/d: delete deployment 'd'": (c, o) => c.deployments.delete("d", o),
  "GET /v2/deployments/d/revisions/r: get revision 'r'": (c, o) => c.revisions.get("d", "r", o),
  "GET /v2/deployments/d/revisions?limit=100&offset=3: list revisions of deployment 'd'": (c, o) =>
    first(c.revisions.list("d", { offset: 3 }, o)),
  "GET /v2/deployments/d/revisions?limit=2: list revisions of deployment 'd'": (c, o) =>
    c.revisions.newest("d", 2, o),
  "POST /v2/deployments/d/revisions: create revision of deployment 'd'": (c, o) =>
    c.revisions.create("d", {}, o),
  "POST /v2/deployments/d/revisions/r/redeploy: redeploy revision 'r'": (c, o) =>
    c.revisions.redeploy("d", "r", o),
  "POST /v2/deployments/d/revisions/r/interrupt: interrupt revision 'r'": (c, o) =>
    c.revisions.interrupt("d", "r", o),
  "GET /v2/deployments/d/revisions/r/logs?order=desc&type=build: get build log of revision 'r'": (
    c,
    o,
  ) => c.revisions.logs("d", "r", { type: "build" }, o),
  "GET /v2/deployments/d/revisions/r/logs?type=deploy&limit=1000&order=asc: get deploy log of revision 'r'":
    (c, o) => first(c.revisions.logLines("d", "r", "deploy", o)),
  "POST /v2/listeners: create listener 'c'": (c, o) =>
    c.listeners.create({ compute_type: "k8s", compute_id: "c", compute_config: {} }, o),
  "GET /v2/listeners/l: get listener 'l'": (c, o) => c.listeners.get("l", o),
  "GET /v2/listeners?limit=100&offset=0: list listeners": (c, o) => first(c.listeners.list(o)),
  "PATCH /v2/listeners/l: update listener 'l'": (c, o) => c.listeners.update("l", {}, o),
  "DELETE /v2/listeners/l: delete listener 'l'": (c, o) => c.listeners.delete("l", o),
  "POST /v2/auth/providers: create OAuth provider 'p'": (c, o) =>
    c.oauthProviders.create({ ...OAUTH, ...URLS }, o),
  "GET /v2/auth/providers/p: get OAuth provider 'p'": (c, o) => c.oauthProviders.get("p", o),
  "GET /v2/auth/providers: list OAuth providers": (c, o) => first(c.oauthProviders.list(o)),
  "PATCH /v2/auth/providers/p: update OAuth provider 'p'": (c, o) =>
    c.oauthProviders.update("p", {}, o),
  "DELETE /v2/auth/providers/p: delete OAuth provider 'p'": (c, o) =>
    c.oauthProviders.delete("p", o),
  "POST /v2/auth/authenticate: authenticate at OAuth provider 'p'": (c, o) =>
    c.oauthTokens.authenticate({ provider: "p", scopes: [] }, o),
  "GET /v2/auth/wait/a?timeout=30: wait for authentication 'a'": (c, o) =>
    c.oauthTokens.wait("a", o),
  "GET /v2/auth/tokens?provider_id=p: list OAuth tokens": (c, o) =>
    first(c.oauthTokens.list({ providerId: "p", ...o })),
  "GET /v2/auth/tokens/exists?provider_id=p: look for tokens of OAuth provider 'p'": (c, o) =>
    c.oauthTokens.exists("p", o),
  "PATCH /v2/auth/tokens/t/metadata: update OAuth token 't'": (c, o) =>
    c.oauthTokens.update("t", {}, o),
  "DELETE /v2/auth/tokens/t: delete OAuth token 't'": (c, o) => c.oauthTokens.delete("t", o),
  "DELETE /v2/auth/tokens?provider_id=p: delete tokens of OAuth provider 'p'": (c, o) =>
    c.oauthTokens.deleteAll("p", o),
  "GET /v1/integrations/git_host/install: list integrations": (c, o) =>
    first(c.integrations.list(o)),
  "GET /v1/integrations/git_host/i/repos: list repositories of integration 'i'": (c, o) =>
    first(c.integrations.repositories("i", o)),
};

const AGENT_SERVER: Requests<sdk.AgentServer> = {
  "GET /info: get information of the agent server": (s, o) => s.info(o),
  "POST /assistants: create assistant 'a'": (s, o) =>
    s.assistants.create({ graph_id: "g", assistant_id: "a", name: "n" }, o),
  "POST /assistants: create assistant 'n'": (s, o) =>
    s.assistants.create({ graph_id: "g", name: "n" }, o),
  "GET /assistants/a: get assistant 'a'": (s, o) => s.assistants.get("a", o),
  "PATCH /assistants/a: update assistant 'a'": (s, o) => s.assistants.update("a", {}, o),
  "DELETE /assistants/a?delete_threads=true: delete assistant 'a'": (s, o) =>
    s.assistants.delete("a", { deleteThreads: true, ...o }),
  "POST /assistants/a/versions: list versions of assistant 'a'": (s, o) =>
    first(s.assistants.listVersions("a", {}, o)),
  "POST /assistants/a/latest: set latest version of assistant 'a'": (s, o) =>
    s.assistants.setLatest("a", 1, o),
  "GET /assistants/a/schemas: get schemas of assistant 'a'": (s, o) => s.assistants.schemas("a", o),
  "GET /assistants/a/graph: get graph of assistant 'a'": (s, o) => s.assistants.nodes("a", o),
  "POST /assistants/search: search assistants": (s, o) => first(s.assistants.searchAll({}, o)),
  "POST /assistants/count: count assistants": (s, o) => s.assistants.count({}, o),
  "POST /runs/crons: create cron '@daily'": (s, o) =>
    s.crons.create({ assistant_id: "a", schedule: "@daily" }, o),
  "POST /threads/t/runs/crons: create cron '@daily'": (s, o) =>
    s.crons.create({ assistant_id: "a", schedule: "@daily" }, { threadId: "t", ...o }),
  "GET /runs/crons/c: get cron 'c'": (s, o) => s.crons.get("c", o),
  "PATCH /runs/crons/c: update cron 'c'": (s, o) => s.crons.update("c", {}, o),
  "DELETE /runs/crons/c: delete cron 'c'": (s, o) => s.crons.delete("c", o),
  "POST /runs/crons/search: search crons": (s, o) => first(s.crons.searchAll({}, o)),
  "POST /runs/crons/count: count crons": (s, o) => s.crons.count({}, o),
  "POST /threads: create thread 't'": (s, o) => s.threads.create({ thread_id: "t" }, o),
  "GET /threads/t: get thread 't'": (s, o) => s.threads.get("t", o),
  "PATCH /threads/t: update thread 't'": (s, o) => s.threads.update("t", {}, o),
  "DELETE /threads/t: delete thread 't'": (s, o) => s.threads.delete("t", o),
  "GET /threads/t/state: get state of thread 't'": (s, o) => s.threads.state("t", undefined, o),
  "GET /threads/t/state/c: get state of thread 't'": (s, o) => s.threads.state("t", "c", o),
  "POST /threads/t/state: update state of thread 't'": (s, o) =>
    s.threads.updateState("t", { values: {} }, o),
  "POST /threads/t/history: get history of thread 't'": (s, o) => s.threads.history("t", {}, o),
  "POST /threads/t/copy: copy thread 't'": (s, o) => s.threads.copy("t", o),
  "POST /threads/search: search threads": (s, o) => first(s.threads.searchAll({}, o)),
  "POST /threads/count: count threads": (s, o) => s.threads.count({}, o),
  "POST /threads/t/runs/wait: run on thread 't'": (s, o) =>
    s.runs.wait("t", { assistant_id: "a", input: {} }, o),
  "GET /threads/t/runs: list runs of thread 't'": (s, o) => s.runs.list("t", o),
  "POST /threads/t/runs/r/cancel?wait=true: cancel run 'r'": (s, o) => s.runs.cancel("t", "r", o),
};

/** Methods that send what others of the table send, and are called by those. */
const CALLED_BY_OTHERS = [
  "assistants.search",
  "assistants.versions",
  "crons.search",
  "threads.search",
  // It sends what `get` sends, and has tests of its own.
  "revisions.wait",
];

/** The requests of both clients, against a server. */
function requestsTo(url: string, clock: sdk.Clock) {
  const limits = { clock, requestTimeoutSeconds: 2 };
  const keys = { apiKey: "k", workspaceId: "w" };
  const of = <Client>(client: Client, table: Requests<Client>) =>
    Object.entries(table).map(
      ([title, send]) => [title, (options: sdk.CallOptions) => send(client, options)] as const,
    );
  return new Map([
    ...of(new sdk.ControlPlane({ baseUrl: url, ...keys, ...limits }), CONTROL_PLANE),
    ...of(new sdk.AgentServer({ url, ...limits }), AGENT_SERVER),
  ]);
}

describe("the requests of the clients", () => {
  const refusal = { status: 409, onArrival: (): void => undefined };
  let answer: { readonly status: number | undefined; readonly onArrival: () => void };
  let server: TestServer;
  beforeEach(async () => {
    answer = refusal;
    server = await startServer((_request, response) => {
      answer.onArrival();
      if (answer.status !== undefined) json(response, answer.status, { detail: "no" });
    });
  });
  afterEach(() => server.close());

  it("are none where deployments of no id or tag are asked for, which a query would leave out", async () => {
    const clients = new sdk.ControlPlane({ baseUrl: server.url, apiKey: "k", workspaceId: "w" });
    for (const filter of [{ deployment_ids: [] }, { tag_value_ids: [] }])
      expect(await Array.fromAsync(clients.deployments.list(filter))).to.deep.equal([]);
    expect(server.received).to.be.empty;
  });

  it("are all in the table", () => {
    const { url: baseUrl } = server;
    const clients = [
      new sdk.ControlPlane({ baseUrl, apiKey: "k", workspaceId: "w" }),
      new sdk.AgentServer({ url: baseUrl }),
    ];
    const tables = [CONTROL_PLANE, AGENT_SERVER].flatMap(Object.values).join();
    const methods = clients.flatMap((client) =>
      Object.entries(client).flatMap(([name, part]) =>
        Object.getOwnPropertyNames(Object.getPrototypeOf(part))
          .filter((method) => typeof part === "object" && method !== "constructor")
          .map((method) => `${name}.${method}`),
      ),
    );
    expect(methods).to.have.length.above(50);
    const missing = methods.filter((method) => !tables.includes(`${method}(`));
    expect(missing).to.have.members(CALLED_BY_OTHERS);
  });

  for (const title of requestsTo("http://127.0.0.1:1", aClock()).keys()) {
    const send = (options: sdk.CallOptions, clock: sdk.Clock = aClock()) =>
      requestsTo(server.url, clock).get(title)?.(options) ?? Promise.resolve();

    it(title, async () => {
      const error = await rejection(send({ resource: "urn:of-it" }));
      const { method, url, headers } = server.received.at(-1) ?? {};
      expect(`${method} ${url}: ${error.message}`).to.equal(`${title}: 409 no`);
      expect(headers).to.include({ "x-pulumi-urn": "urn:of-it" });
      expect(server.received).to.have.length(1);
    });

    it(`${title}; ends with its signal, under way as in a pause`, async () => {
      for (const status of [undefined, 429]) {
        const abort = new AbortController();
        const end = (): void => abort.abort(new Error("enough"));
        answer = { status, onArrival: status === undefined ? end : refusal.onArrival };
        const pauses: boolean[] = [];
        const clock = {
          ...aClock(),
          sleep: async (_milliseconds: number, signal?: AbortSignal) => {
            end();
            pauses.push(signal?.aborted ?? false);
            signal?.throwIfAborted();
          },
        };
        expect(await reasonOf(send({ signal: abort.signal }, clock))).to.equal("enough");
        expect(pauses).to.deep.equal(status === undefined ? [] : [true]);
      }
    });
  }
});
