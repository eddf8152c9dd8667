import { expect } from "chai";
import { known } from "../../../provider/arguments/decode";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { smokeCheckFailure } from "../../../provider/deployment/rollout/smoke-check";
import { json, startServer, type TestServer } from "../../support/http";
import { anOperation } from "../../support/operation";

describe("the smoke check of an agent server", () => {
  let server: TestServer | undefined;
  afterEach(() => server?.close());

  interface Serving {
    /** What it answers for the state of a thread; nothing by default. */
    readonly state?: number | undefined;
    readonly creates?: number;
    /** What `/info` says of its host, one after the other. */
    readonly hosts?: readonly object[];
    /** The id that it gives a thread in place of the one that it is asked for. */
    readonly ownId?: string;
    /** Whether the run is cancelled while the check reads a state. */
    readonly isCancelled?: boolean;
  }
  const SOUND = { state: 200 };

  /** The result of the check of an agent server that keeps its threads. */
  async function check(
    declared: unknown,
    serving: Serving,
    former: readonly string[] = [],
    secondsLeft = Infinity,
  ) {
    const threads = new Map<string, unknown>();
    const hosts = [...(serving.hosts ?? [])];
    const run = new AbortController();
    await server?.close();
    server = await startServer((request, response) => {
      const { method, url } = request;
      if (method === "POST") {
        const { thread_id: wanted, metadata } = JSON.parse(request.body);
        const threadId = serving.ownId ?? wanted;
        threads.set(threadId, metadata);
        const at = "2026-01-01T00:00:00.000Z";
        const thread = { thread_id: threadId, created_at: at, updated_at: at, status: "idle" };
        return json(response, serving.creates ?? 200, { ...thread, metadata });
      }
      if (url === "/info") return json(response, 200, { host: hosts.shift() ?? null });
      const { state } = serving;
      if (method === "GET" && serving.isCancelled) run.abort();
      if (method === "GET" && state !== undefined)
        json(response, state, state === 200 ? { values: {}, next: [] } : { detail: "not so" });
      if (method === "GET") return;
      threads.delete(url.split("/").at(-1) ?? "");
      return response.writeHead(204).end();
    });
    const smokeCheck = known(declaredBy({ smokeCheck: declared }).smokeCheck);
    if (smokeCheck === undefined) throw new Error("no smoke check is declared");
    const shown: string[] = [];
    const ours = anOperation(server.url, shown);
    const deadline = ours.clock.now() + secondsLeft * 1000;
    const operation = { ...ours, signal: run.signal, deadline };
    const failure = await smokeCheckFailure(operation, smokeCheck, server.url, former);
    return { ...failure, shown, left: [...threads.keys()], received: server.received };
  }

  it("creates one thread that is marked as its own, reads it and deletes it", async () => {
    const { problem, left, received } = await check({ graphId: "agent" }, SOUND);
    expect(problem).to.equal(undefined);
    expect(left).to.be.empty;
    expect(received.map(({ method }) => method)).to.deep.equal(["POST", "GET", "DELETE"]);
    const expected = { created_by: "pulumi-agentserver smoke check", graph_id: "agent" };
    expect(JSON.parse(received[0]?.body ?? "").metadata).to.deep.equal(expected);
  });

  it("sends the key that it was given, and never the control plane's", async () => {
    for (const [declared, key] of [
      [true, undefined],
      [{ apiKey: "agent-key" }, "agent-key"],
    ] as const) {
      const { received } = await check(declared, SOUND);
      expect(received.map(({ headers }) => headers["x-api-key"])).to.deep.equal([key, key, key]);
      expect(JSON.stringify(received)).not.to.contain("control-plane-key");
    }
  });

  it("leaves no thread behind, however often it tried, nor one whose making was answered with an error", async () => {
    const { problem, shown, left, received } = await check(true, { state: 404 });
    expect(shown[0]).to.match(/^smoke check: .* 404 not so$/);
    expect(shown, "signs of life").to.have.length.within(2, 5);
    expect(problem).to.match(/404 not so, for 60 s$/);
    expect(left).to.be.empty;
    expect(received.filter(({ method }) => method === "POST")).to.have.length.above(3);
    const unmade = await check(true, { ...SOUND, creates: 500 });
    expect(unmade.problem).to.contain("500");
    expect(unmade.left).to.be.empty;
    const cancelled = await check(true, { state: 404, isCancelled: true });
    expect(cancelled.problem).to.match(/^cancelled/);
    expect(cancelled.left).to.be.empty;
    expect((await check(true, { ...SOUND, ownId: "made" })).left).to.be.empty;
  });

  it("ends in its time when the server does not answer", async () => {
    const { problem } = await check({ timeoutSeconds: 0.1 }, {});
    expect(problem).to.equal("no answer, for 0.1 s");
  });

  describe("while a former revision answers", () => {
    it("waits for the new one, and creates no thread before", async () => {
      const own = { host_revision_id: "new", revision_id: "0.6.4" };
      const hosts = [{ host_revision_id: "old" }, { revision_id: "old" }, own];
      const { problem, received } = await check(true, { ...SOUND, hosts }, ["old", "older"]);
      expect(problem).to.equal(undefined);
      const asked = received.map(({ method, url }) => (url === "/info" ? "info" : method));
      expect(asked.join(" ")).to.equal("info info info POST GET DELETE");
    });

    it("says so at the end of its time", async () => {
      const hosts = Array.from({ length: 99 }, () => ({ host_revision_id: "old" }));
      const { problem } = await check(true, { ...SOUND, hosts }, ["old"]);
      expect(problem).to.equal("revision old still answers, for 60 s");
    });

    it("is not held up by a server that names none, or one that no revision of the deployment has", async () => {
      for (const host of [{}, { host_revision_id: "elsewhere" }]) {
        const { problem } = await check(true, { ...SOUND, hosts: [host] }, ["old"]);
        expect(problem).to.equal(undefined);
      }
    });
  });

  it("names the setting of a URL that it cannot use", async () => {
    const smokeCheck = known(declaredBy({ smokeCheck: true }).smokeCheck);
    if (smokeCheck === undefined) throw new Error("no smoke check is declared");
    const operation = anOperation("http://127.0.0.1:1", []);
    expect(await smokeCheckFailure(operation, smokeCheck, "file:///srv")).to.deep.equal({
      problem:
        "connect to agent server: its URL, as the control plane names it, has the scheme 'file'; use https",
      nextStep:
        "set `sourceConfig.customUrl` where it is wrong, or leave out `smokeCheck`, then run `pulumi up`: it checks the same revision and creates none",
    });
  });

  it("says what to do now, with a key, without one, and where its time ran out", async () => {
    const SET =
      /^set `smokeCheck.apiKey` to the agent server's own key, `Bearer <token>` if .*, then/;
    const CHECK =
      /^check `smokeCheck.apiKey`, .* and not the control plane's, `Bearer <token>` if .*, then/;
    for (const [declared, state, next, secondsLeft] of [
      [true, 401, SET],
      [true, 403, SET],
      [{ apiKey: "other" }, 401, CHECK],
      [true, 503, /creates none; `smokeCheck.timeoutSeconds` gives it more time$/],
      [true, 503, /the option `customTimeouts` gives it more time$/, 10],
      [true, 422, /creates none$/],
    ] as const) {
      const { problem, nextStep } = await check(declared, { state }, [], secondsLeft);
      if (secondsLeft !== undefined) expect(problem).to.match(/, for 10 s$/);
      expect(problem).to.match(new RegExp(`^get state of thread '[^']+': ${state} not so`));
      expect(nextStep).to.match(next).and.contain("it checks the same revision and creates none");
    }
  });
});
