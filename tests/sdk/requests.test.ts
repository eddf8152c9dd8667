import { expect } from "chai";
import { AgentServer, ControlPlane, type CreateDeployment } from "pulumi-agentserver/sdk";
import { json, startServer, type TestServer } from "../support/http";
import { rejection } from "../support/rejection";

/** What is sent, and what an error calls it → the method of the client. */
type Requests<Client> = Readonly<Record<string, (client: Client) => Promise<unknown>>>;

async function first(items: AsyncIterable<unknown>): Promise<unknown> {
  for await (const item of items) return item;
  return undefined;
}

const DEPLOYMENT: CreateDeployment = {
  name: "n",
  source: "git_host",
  source_config: {},
  source_revision_config: {},
  secrets: [],
};
const OAUTH = { provider_id: "p", name: "n", client_id: "c", client_secret: "s" };
const URLS = { auth_url: "https://a.example.com", token_url: "https://t.example.com" };

const CONTROL_PLANE: Requests<ControlPlane> = {
  "POST /v2/deployments: create deployment 'n'": (c) => c.deployments.create(DEPLOYMENT),
  "GET /v2/deployments/d: get deployment 'd'": (c) => c.deployments.get("d"),
  "GET /v2/deployments?name_contains=n&limit=100&offset=0: list deployments": (c) =>
    first(c.deployments.list({ name_contains: "n" })),
  "PATCH /v2/deployments/d: update deployment 'd'": (c) => c.deployments.update("d", {}),
  "DELETE /v2/deployments/d: delete deployment 'd'": (c) => c.deployments.delete("d"),
  "GET /v2/deployments/d/revisions/r: get revision 'r'": (c) => c.revisions.get("d", "r"),
  "GET /v2/deployments/d/revisions?limit=100&offset=3: list revisions of deployment 'd'": (c) =>
    first(c.revisions.list("d", { offset: 3 })),
  "GET /v2/deployments/d/revisions?limit=2: list revisions of deployment 'd'": (c) =>
    c.revisions.newest("d", 2),
  "POST /v2/deployments/d/revisions: create revision of deployment 'd'": (c) =>
    c.revisions.create("d", {}),
  "POST /v2/deployments/d/revisions/r/redeploy: redeploy revision 'r'": (c) =>
    c.revisions.redeploy("d", "r"),
  "POST /v2/deployments/d/revisions/r/interrupt: interrupt revision 'r'": (c) =>
    c.revisions.interrupt("d", "r"),
  "GET /v2/deployments/d/revisions/r/logs?order=desc&type=build: get build log of revision 'r'": (
    c,
  ) => c.revisions.logs("d", "r", { type: "build" }),
  "POST /v2/listeners: create listener 'c'": (c) =>
    c.listeners.create({ compute_type: "k8s", compute_id: "c", compute_config: {} }),
  "GET /v2/listeners/l: get listener 'l'": (c) => c.listeners.get("l"),
  "GET /v2/listeners?limit=100&offset=0: list listeners": (c) => first(c.listeners.list()),
  "PATCH /v2/listeners/l: update listener 'l'": (c) => c.listeners.update("l", {}),
  "DELETE /v2/listeners/l: delete listener 'l'": (c) => c.listeners.delete("l"),
  "POST /v2/auth/providers: create OAuth provider 'p'": (c) =>
    c.oauthProviders.create({ ...OAUTH, ...URLS }),
  "GET /v2/auth/providers/p: get OAuth provider 'p'": (c) => c.oauthProviders.get("p"),
  "GET /v2/auth/providers: list OAuth providers": (c) => c.oauthProviders.list(),
  "PATCH /v2/auth/providers/p: update OAuth provider 'p'": (c) => c.oauthProviders.update("p", {}),
  "DELETE /v2/auth/providers/p: delete OAuth provider 'p'": (c) => c.oauthProviders.delete("p"),
  "POST /v2/auth/authenticate: authenticate at OAuth provider 'p'": (c) =>
    c.oauthTokens.authenticate({ provider: "p", scopes: [] }),
  "GET /v2/auth/wait/a?timeout=30: wait for authentication 'a'": (c) => c.oauthTokens.wait("a"),
  "GET /v2/auth/tokens?provider_id=p: list OAuth tokens": (c) =>
    c.oauthTokens.list({ providerId: "p" }),
  "GET /v2/auth/tokens/exists?provider_id=p: look for tokens of OAuth provider 'p'": (c) =>
    c.oauthTokens.exists("p"),
  "PATCH /v2/auth/tokens/t/metadata: update OAuth token 't'": (c) => c.oauthTokens.update("t", {}),
  "DELETE /v2/auth/tokens/t: delete OAuth token 't'": (c) => c.oauthTokens.delete("t"),
  "DELETE /v2/auth/tokens?provider_id=p: delete tokens of OAuth provider 'p'": (c) =>
    c.oauthTokens.deleteAll("p"),
  "GET /v1/integrations/git_host/install: list integrations": (c) => c.integrations.list(),
  "GET /v1/integrations/git_host/i/repos: list repositories of integration 'i'": (c) =>
    c.integrations.repositories("i"),
};

const AGENT_SERVER: Requests<AgentServer> = {
  "GET /info: get information of the agent server": (s) => s.info(),
  "POST /assistants: create assistant 'a'": (s) =>
    s.assistants.create({ graph_id: "g", assistant_id: "a", name: "n" }),
  "POST /assistants: create assistant 'n'": (s) =>
    s.assistants.create({ graph_id: "g", name: "n" }),
  "GET /assistants/a: get assistant 'a'": (s) => s.assistants.get("a"),
  "PATCH /assistants/a: update assistant 'a'": (s) => s.assistants.update("a", {}),
  "DELETE /assistants/a?delete_threads=true: delete assistant 'a'": (s) =>
    s.assistants.delete("a", { deleteThreads: true }),
  "POST /assistants/a/versions: list versions of assistant 'a'": (s) =>
    first(s.assistants.listVersions("a")),
  "POST /assistants/a/latest: set latest version of assistant 'a'": (s) =>
    s.assistants.setLatest("a", 1),
  "GET /assistants/a/schemas: get schemas of assistant 'a'": (s) => s.assistants.schemas("a"),
  "GET /assistants/a/graph: get graph of assistant 'a'": (s) => s.assistants.hasGraph("a"),
  "POST /assistants/search: search assistants": (s) => first(s.assistants.searchAll()),
  "POST /assistants/count: count assistants": (s) => s.assistants.count(),
  "POST /runs/crons/count: count crons of assistant 'a'": (s) => s.assistants.countCrons("a"),
  "POST /threads: create thread 't'": (s) => s.threads.create({ thread_id: "t" }),
  "GET /threads/t: get thread 't'": (s) => s.threads.get("t"),
  "PATCH /threads/t: update thread 't'": (s) => s.threads.update("t", {}),
  "DELETE /threads/t: delete thread 't'": (s) => s.threads.delete("t"),
  "GET /threads/t/state: get state of thread 't'": (s) => s.threads.state("t"),
  "GET /threads/t/state/c: get state of thread 't'": (s) => s.threads.state("t", "c"),
  "POST /threads/t/state: update state of thread 't'": (s) =>
    s.threads.updateState("t", { values: {} }),
  "POST /threads/t/history: get history of thread 't'": (s) => s.threads.history("t"),
  "POST /threads/t/copy: copy thread 't'": (s) => s.threads.copy("t"),
  "POST /threads/search: search threads": (s) => first(s.threads.searchAll()),
  "POST /threads/count: count threads": (s) => s.threads.count(),
  "POST /threads/t/runs/wait: run on thread 't'": (s) =>
    s.runs.wait("t", { assistant_id: "a", input: {} }),
  "POST /threads/t/runs/r/cancel?wait=true: cancel run 'r'": (s) => s.runs.cancel("t", "r"),
};

describe("the requests of the clients", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer((_request, response) => json(response, 409, { detail: "no" }));
  });
  afterEach(() => server.close());

  const expectRefused = async (title: string, refused: Promise<unknown>) => {
    const error = await rejection(refused);
    const { method, url } = server.received.at(-1) ?? {};
    expect(`${method} ${url}: ${error.message}`).to.equal(`${title}: 409 no`);
    expect(server.received).to.have.length(1);
  };

  for (const [title, send] of Object.entries(CONTROL_PLANE))
    it(title, () => {
      const { url: baseUrl } = server;
      return expectRefused(
        title,
        send(new ControlPlane({ baseUrl, apiKey: "key", workspaceId: "w" })),
      );
    });
  for (const [title, send] of Object.entries(AGENT_SERVER))
    it(title, () => expectRefused(title, send(new AgentServer({ url: server.url }))));
});
