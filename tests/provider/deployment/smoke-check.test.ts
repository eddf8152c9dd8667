import type { ServerResponse } from "node:http";
import { expect } from "chai";
import { known } from "../../../provider/arguments/decode";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { smokeCheckFailure } from "../../../provider/deployment/rollout/smoke-check";
import { json, type Received, startServer, type TestServer } from "../../support/http";
import { anOperation } from "../../support/operation";

describe("the smoke check of an agent server", () => {
  let server: TestServer;
  afterEach(() => server.close());

  /** What `/info` says of the server's host, one after the other. */
  let hosts: object[] = [];

  /** An agent server that keeps its threads; `state` answers for the state of one. */
  async function check(
    declared: unknown,
    state: (request: Received, response: ServerResponse) => unknown,
    created = 200,
    former: readonly string[] = [],
  ) {
    const threads = new Map<string, unknown>();
    server = await startServer((request, response) => {
      const { method, url } = request;
      if (method === "POST") {
        const { thread_id: threadId = `made-${threads.size}`, metadata } = JSON.parse(request.body);
        threads.set(threadId, metadata);
        const at = "2026-01-01T00:00:00.000Z";
        const thread = { thread_id: threadId, created_at: at, updated_at: at, status: "idle" };
        return json(response, created, { ...thread, metadata });
      }
      if (url === "/info") return json(response, 200, { host: hosts.shift() ?? null });
      if (method === "GET") return state(request, response);
      threads.delete(url.split("/").at(-1) ?? "");
      return response.writeHead(204).end();
    });
    const smokeCheck = known(declaredBy({ smokeCheck: declared }).smokeCheck);
    if (smokeCheck === undefined) throw new Error("no smoke check is declared");
    const shown: string[] = [];
    const operation = anOperation(server.url, shown);
    const failure = await smokeCheckFailure(operation, smokeCheck, server.url, former);
    return { ...failure, shown, left: [...threads.keys()], received: server.received };
  }
  const STATE = { values: {}, next: [] };
  const sound = (_: Received, response: ServerResponse) => json(response, 200, STATE);

  it("creates one thread that is marked as its own, reads it and deletes it", async () => {
    const { problem, left, received } = await check({ graphId: "agent" }, sound);
    expect(problem).to.equal(undefined);
    expect(left).to.be.empty;
    expect(received.map(({ method }) => method)).to.deep.equal(["POST", "GET", "DELETE"]);
    expect(JSON.parse(received[0]?.body ?? "").metadata).to.deep.equal({
      created_by: "pulumi-agentserver smoke check",
      graph_id: "agent",
    });
  });

  it("sends the key that it was given, and never the control plane's", async () => {
    const keys = ({ headers }: Received) => headers["x-api-key"];
    const without = await check(true, sound);
    expect(without.received.map(keys)).to.deep.equal([undefined, undefined, undefined]);
    expect(JSON.stringify(without.received)).not.to.contain("control-plane-key");
    await server.close();
    const { received } = await check({ apiKey: "agent-key" }, sound);
    expect(received.map(keys)).to.deep.equal(["agent-key", "agent-key", "agent-key"]);
  });

  it("leaves no thread behind, however often it tried", async () => {
    const { problem, shown, left, received } = await check(true, (_, response) =>
      json(response, 404, { detail: "no state here" }),
    );
    expect(shown[0]).to.match(/^smoke check: .* 404 no state here$/);
    expect(shown, "signs of life").to.have.length.within(2, 5);
    expect(problem).to.match(/404 no state here, for 60 s$/);
    expect(left).to.be.empty;
    expect(received.filter(({ method }) => method === "POST")).to.have.length.above(3);
  });

  it("leaves no thread behind whose making was answered with an error", async () => {
    const { problem, left } = await check(true, sound, 500);
    expect(problem).to.contain("500");
    expect(left).to.be.empty;
  });

  it("ends in its time when the server does not answer", async () => {
    const { problem } = await check({ timeoutSeconds: 0.1 }, () => undefined);
    expect(problem).to.equal("no answer, for 0.1 s");
  });

  describe("while a former revision answers", () => {
    const own = { host_revision_id: "new", revision_id: "0.6.4" };

    it("waits for the new one, and creates no thread before", async () => {
      hosts = [{ host_revision_id: "old" }, { revision_id: "old" }, own];
      const { problem, received } = await check(true, sound, 200, ["old", "older"]);
      expect(problem).to.equal(undefined);
      expect(received.map(({ method, url }) => (url === "/info" ? "info" : method))).to.deep.equal([
        "info",
        "info",
        "info",
        "POST",
        "GET",
        "DELETE",
      ]);
    });

    it("says so at the end of its time", async () => {
      hosts = Array.from({ length: 99 }, () => ({ host_revision_id: "old" }));
      const { problem } = await check(true, sound, 200, ["old"]);
      expect(problem).to.equal("revision old still answers, for 60 s");
    });

    it("is not held up by a server that names none, or one that no revision of the deployment has", async () => {
      hosts = [{}];
      expect((await check(true, sound, 200, ["old"])).problem).to.equal(undefined);
      await server.close();
      hosts = [{ host_revision_id: "elsewhere" }];
      expect((await check(true, sound, 200, ["old"])).problem).to.equal(undefined);
    });
  });

  it("says what to do now, with a key, without one, and where its time ran out", async () => {
    for (const [declared, status, next] of [
      [true, 401, /^set `smokeCheck.apiKey` to the agent server's own key, then/],
      [true, 403, /^set `smokeCheck.apiKey` to the agent server's own key, then/],
      [
        { apiKey: "other" },
        401,
        /^check `smokeCheck.apiKey`, .* and not the control plane's, then/,
      ],
      [true, 503, /creates none; `smokeCheck.timeoutSeconds` gives it more time$/],
      [true, 422, /creates none$/],
    ] as const) {
      const { problem, nextStep } = await check(declared, (_, response) =>
        json(response, status, { detail: "not so" }),
      );
      expect(problem).to.match(new RegExp(`^get state of thread '[^']+': ${status} not so`));
      expect(nextStep).to.match(next).and.contain("it checks the same revision and creates none");
      await server.close();
    }
  });
});
