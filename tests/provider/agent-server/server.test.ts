import { expect } from "chai";
import { callFunction } from "../../../provider/adapters/native/functions";
import { LIFECYCLES } from "../../../provider/lifecycles";
import { importServerOf, serverOf } from "../../../provider/agent-server/server";
import { InitializationFailure } from "../../../provider/resource/errors";
import { serverAt } from "../../../provider/deployment/rollout/smoke-check";
import { connect } from "../../../provider/functions/connections";
import { threadArguments } from "../../../provider/thread/diff";
import type { AgentServer } from "pulumi-agentserver/sdk";
import { aClock } from "../../support/builders";
import { impatientClock } from "../../support/clock";
import { json, startServer, type TestServer, useServers } from "../../support/http";
import { contextOf, HOST } from "../../support/lifecycle";
import { anOperation } from "../../support/operation";
import { reasonOf } from "../../support/rejection";

const PLATFORM = { url: "http://127.0.0.1:9", apiKey: "key", workspaceId: "nobody" };
const REQUEST_TIMEOUT = { "agentserver:requestTimeoutSeconds": "1" };
const CONFIG = {
  ...REQUEST_TIMEOUT,
  "agentserver:baseUrl": PLATFORM.url,
  "agentserver:apiKey": "key",
  "agentserver:workspaceId": "nobody",
};
const ID = "11111111-1111-4111-8111-111111111111";

describe("a request to an agent server that does not answer", () => {
  let silent: TestServer;
  beforeEach(async () => (silent = await startServer(() => undefined)));
  afterEach(() => silent.close());

  const context = () => ({ ...contextOf(PLATFORM, [], REQUEST_TIMEOUT), clock: impatientClock() });
  const declared = () => threadArguments.decode({ deploymentUrl: silent.url });
  const error = async (server: AgentServer) => await reasonOf(server.threads.copy(ID));

  const CLIENTS: Record<string, () => AgentServer> = {
    "a resource": () => serverOf(declared(), context()),
    "an import": () => importServerOf("get thread", declared(), context()),
    "a smoke check and a gate": () => {
      const operation = anOperation(PLATFORM.url);
      const settings = { ...operation.settings, requestTimeoutSeconds: 1 };
      return serverAt({ ...operation, settings }, silent.url);
    },
    "a function": () =>
      connect["agent server"](context(), CONFIG, { deploymentUrl: silent.url }).client,
  };
  for (const [whose, client] of Object.entries(CLIENTS))
    it(`ends when the setting requestTimeoutSeconds says: of ${whose}`, async () =>
      expect(await error(client())).to.contain("timed out after 1 s without a response"));

  it("ends so where the native provider calls a function too", async () => {
    const host = { ...HOST, ...context() };
    const call = callFunction(
      "agentserver:index:searchThreads",
      { deploymentUrl: silent.url },
      CONFIG,
      host,
    );
    expect(await reasonOf(call)).to.contain("timed out after 1 s without a response");
  });

  it("ends with the option customTimeouts of its resource, where that is less", async () => {
    const using = { ...contextOf(PLATFORM), clock: impatientClock() };
    const server = serverOf(declared(), { ...using, deadline: using.clock.now() + 200 });
    expect(await error(server)).to.contain("timed out after 1 s without a response");
  });
});

describe("what a state records, behind a gateway that has lost its agent server", () => {
  const serve = useServers();
  const PAGE = "default backend - 404";
  const createdAt = "2026-01-01T00:00:00Z";
  const context = () => ({ ...contextOf(PLATFORM), clock: aClock() });
  const refusalAt = (url: string) =>
    `404 ${PAGE} at ${url}/threads/search, which a gateway answers in the place of the agent server`;

  for (const kind of ["Thread", "Assistant", "Cron"] as const)
    it(`is neither gone nor deleted: ${kind}`, async () => {
      const { url, received } = await serve((_request, response) =>
        response.writeHead(404, { "content-type": "text/plain" }).end(PAGE),
      );
      const olds = { deploymentUrl: url, graphId: "agent", createdAt };
      for (const verb of ["read", "delete"] as const)
        expect(await reasonOf(LIFECYCLES[kind][verb](ID, olds, context()))).to.contain(
          refusalAt(url),
        );
      expect(received.map(({ method }) => method)).not.to.include("DELETE");
    });

  const IDS = { thread_id: ID, assistant_id: ID, cron_id: ID, graph_id: "agent" };
  const TIMES = { created_at: createdAt, updated_at: createdAt, schedule: "0 9 * * *" };
  const OPEN = { metadata: {}, config: {}, context: {}, payload: {} };
  const FOUND = { ...IDS, ...TIMES, ...OPEN, status: "idle", name: "a", version: 1 };
  const NEW = {
    Thread: { path: "/threads", inputs: {} },
    Assistant: { path: "/assistants", inputs: { graphId: "agent", assistantId: ID } },
    Cron: { path: "/runs/crons", inputs: { assistantId: ID, schedule: FOUND.schedule } },
  };
  for (const kind of ["Thread", "Assistant", "Cron"] as const)
    it(`is created, once, as soon as the gateway has the way to a new server: ${kind}`, async () => {
      const { path, inputs } = NEW[kind];
      for (const lost of [3, 6, "POST"]) {
        let created = 0;
        let posts = 0;
        const { url: deploymentUrl } = await serve(({ method, url, body }, response, count) => {
          const isPost = method === "POST" && url === path;
          if (isPost) posts += 1;
          if (lost === "POST" ? isPost && posts === 1 : count <= Number(lost))
            return void response.writeHead(404).end(PAGE);
          if (url.endsWith("/search")) return json(response, 200, []);
          if (url === "/info") return json(response, 200, { flags: { crons: true } });
          if (isPost) created += 1;
          const answer = { ...FOUND, ...(url === path && JSON.parse(body)) };
          return json(response, created > 0 ? 200 : 404, created > 0 ? answer : {});
        });
        await LIFECYCLES[kind].create({ ...inputs, deploymentUrl }, context());
        expect(created).to.equal(1);
      }
    });

  /** The server creates what the POST asks for, and is lost behind its gateway before it responds, for so many requests. */
  const serveUntilPost = async (kind: keyof typeof NEW, requestsLost: number) => {
    let posted: object | undefined;
    let later = 0;
    return serve(({ method, url, body }, response) => {
      if (posted && (later += 1) > requestsLost) return json(response, 200, posted);
      if (posted) return void response.writeHead(404).end(PAGE);
      if (url.endsWith("/search")) return json(response, 200, []);
      if (url === "/info") return json(response, 200, { flags: { crons: true } });
      if (method !== "POST" || url !== NEW[kind].path) return json(response, 404, {});
      posted = { ...FOUND, ...JSON.parse(body), created_at: "2099-01-01T00:00:00Z" };
      return response.destroy();
    });
  };

  for (const kind of ["Thread", "Assistant", "Cron"] as const)
    it(`is kept in the state, where it was lost after the POST: ${kind}`, async () => {
      const { url: deploymentUrl } = await serveUntilPost(kind, Infinity);
      const create = LIFECYCLES[kind].create({ ...NEW[kind].inputs, deploymentUrl }, context());
      const failure = await create.catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(InitializationFailure);
    });

  for (const kind of ["Thread", "Assistant"] as const)
    it(`is found when its server is back, where it was lost after the POST: ${kind}`, async () => {
      const { url: deploymentUrl, received } = await serveUntilPost(kind, 12);
      await LIFECYCLES[kind].create({ ...NEW[kind].inputs, deploymentUrl }, context());
      const posts = received.filter(({ url }) => url === NEW[kind].path);
      expect(posts).to.have.length(1);
    });

  for (const kind of ["Thread", "Assistant", "Cron"] as const)
    it(`moves to another deployment at the same address only where that has it: ${kind}`, async () => {
      let isThere = true;
      const { url: deploymentUrl } = await serve(({ url }, response) =>
        url.endsWith("/search")
          ? json(response, 200, [])
          : json(response, isThere ? 200 : 404, FOUND),
      );
      const observed = { checkpointId: ID, createdAt };
      const olds = { ...NEW[kind].inputs, deploymentUrl, deploymentId: ID, ...observed };
      const move = () =>
        LIFECYCLES[kind].update(ID, olds, { ...olds, deploymentId: "another" }, context());
      expect((await move()).outs).to.include({ deploymentId: "another", createdAt });
      isThere = false;
      expect(await reasonOf(move())).to.contain("no longer exists; run `pulumi refresh`, then");
    });

  it("is not deleted where the count of its crons alone has a 404, and the server keeps crons: Assistant", async () => {
    const { url, received } = await serve(({ method, url: path }, response) => {
      if (path.endsWith("crons/count")) return void response.writeHead(404).end(PAGE);
      const info = path === "/info" && { flags: { crons: true } };
      json(response, 200, info || (method === "GET" ? FOUND : path.endsWith("count") ? 0 : []));
    });
    const removal = LIFECYCLES.Assistant.delete(ID, { deploymentUrl: url, createdAt }, context());
    expect(await reasonOf(removal)).to.contain(`count crons: 404 ${PAGE}`);
    expect(received.map(({ method }) => method)).not.to.include("DELETE");
  });

  for (const kind of ["Thread", "Assistant", "Cron"] as const)
    it(`is not deleted where only its DELETE has a 404: ${kind}`, async () => {
      let isLost = false;
      const { url } = await serve(({ method, url: path }, response) => {
        isLost ||= method === "DELETE";
        if (isLost) return void response.writeHead(404).end(PAGE);
        const all = path.endsWith("crons/search") ? [FOUND] : path.endsWith("count") ? 0 : [];
        json(response, 200, method === "GET" ? FOUND : all);
      });
      const removal = LIFECYCLES[kind].delete(ID, { deploymentUrl: url, createdAt }, context());
      expect(await reasonOf(removal)).to.contain(refusalAt(url));
    });
});
