import { expect } from "chai";
import { AgentServer, NotFound, Unprocessable } from "pulumi-agentserver/sdk";
import { aClock } from "../support/builders";
import { always, json, startServer, type TestServer } from "../support/http";
import { reasonOf, rejection } from "../support/rejection";
import { untyped } from "../support/values";

const ID = "11111111-1111-4111-8111-111111111111";
const THREAD = {
  thread_id: ID,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  metadata: {},
  status: "idle",
};

describe("the client of an agent server, whichever one it is", () => {
  let server: TestServer | undefined;
  afterEach(() => server?.close());

  const against = async (respond: Parameters<typeof startServer>[0], options: object = {}) => {
    await server?.close();
    server = await startServer(respond);
    return new AgentServer({ url: server.url, clock: aClock(), ...options });
  };
  const answering = (status: number, body: unknown) => against(always(status, body));
  const answeringText = (status: number, text: string) => against(always(status, text));

  it("sends a key as X-Api-Key, one that names its scheme as Authorization, and shows neither, nor the token alone", async () => {
    for (const [apiKey, header] of [
      ["key-CANARY", "x-api-key"],
      ["Bearer token-CANARY", "authorization"],
      ["basic dTpDQU5BUlk=", "authorization"],
      ["Bearer", "x-api-key"],
    ] as const) {
      const { threads } = await against(
        ({ headers }, response) =>
          json(response, 400, {
            detail: `no ${String(headers[header])} or ${apiKey.split(" ").at(-1)}`,
          }),
        { apiKey },
      );
      expect(await reasonOf(threads.get(ID))).to.contain("no [secret] or [secret]");
      const { headers = {} } = server?.received[0] ?? {};
      const sent = [headers["x-api-key"], headers["authorization"]];
      expect(sent.filter((value) => value !== undefined)).to.deep.equal([apiKey]);
      expect(headers[header]).to.equal(apiKey);
    }
  });

  it("gives the same thread whether config, values and metadata are null or missing", async () => {
    const { metadata: _, ...bare } = THREAD;
    for (const answer of [bare, { ...bare, metadata: null, config: null, values: null }]) {
      const { threads } = await answering(200, answer);
      expect(await threads.get(ID)).to.deep.equal(THREAD);
      expect(await threads.create()).to.deep.equal({ ...THREAD, values: {} });
      const many = (await answering(200, [answer])).threads;
      expect(await many.search({ select: [] })).to.deep.equal([THREAD]);
      expect(server?.received[0]?.body).to.equal("{}");
    }
    const configured = { ...THREAD, config: { tags: [] } };
    expect(await (await answering(200, configured)).threads.get(ID)).to.deep.equal(configured);
  });

  it("gives the same state whether its names are at the top or in its checkpoint, and nulls or missing", async () => {
    const nothing = { values: {}, next: [], tasks: [], metadata: {}, created_at: null };
    const ids = { checkpoint_id: "c2", parent_checkpoint_id: "c1" };
    const checkpoints = {
      checkpoint: { checkpoint_id: "c2", thread_id: ID },
      parent_checkpoint: { checkpoint_id: "c1", thread_id: ID },
    };
    const empty = { checkpoint: null, parent_checkpoint: null };
    const noIds = { checkpoint_id: null, parent_checkpoint_id: null };
    const named = {
      checkpoint: { ...checkpoints.checkpoint, checkpoint_ns: "" },
      parent_checkpoint: { ...checkpoints.parent_checkpoint, checkpoint_ns: "" },
    };
    const bare = { ...nothing, ...empty, ...noIds };
    const full = { ...nothing, ...named, ...ids };
    for (const [answer, state] of [
      [{}, bare],
      [{ values: null, metadata: null, next: null, tasks: null, ...empty, ...noIds }, bare],
      [checkpoints, full],
      [{ ...checkpoints, ...ids }, full],
    ]) {
      const { threads } = await answering(200, answer);
      expect(await threads.state(ID)).to.deep.equal(state);
    }
  });

  it("takes an answer that only says what went wrong for a refusal, whatever its status", async () => {
    const detail = `Thread ${ID} was created, but there were problems updating the state: no graph`;
    const { threads } = await answering(201, { detail });
    const error = await rejection(threads.create({ supersteps: [] }));
    expect(error).to.be.instanceOf(Unprocessable);
    expect(error.message).to.equal(`create thread: 201 ${detail}`);
  });

  it("asks for states before one in the form that the server takes", async () => {
    const { threads } = await against(({ body }, response) => {
      const { before } = JSON.parse(body);
      const path = ["before"];
      return typeof before === "string"
        ? json(response, 200, [])
        : json(response, 400, { success: false, error: { issues: [{ path, message: "text!" }] } });
    });
    const configurable = { checkpoint_id: "c1" };
    for (const before of ["c1", { configurable }]) await threads.history(ID, { limit: 5, before });
    const asked = server?.received.map(({ body }) => JSON.parse(body));
    const inTurn = [
      { limit: 5, before: { configurable } },
      { limit: 5, before: "c1" },
    ];
    expect(asked).to.deep.equal([...inTurn, ...inTurn]);
    const tooMany = against(always(422, { detail: "limit" }));
    const refused = (await tooMany).threads.history(ID, { limit: 1001, before: "c1" });
    expect(await rejection(refused)).to.be.instanceOf(Unprocessable);
    expect(server?.received).to.have.length(1);
  });

  it("says how many states it wants and which metadata, also where servers have other defaults", async () => {
    const { threads } = await against(({ method }, response) =>
      json(response, 200, method === "PATCH" ? THREAD : []),
    );
    for (const left of [{}, untyped({ limit: undefined, metadata: undefined })]) {
      server?.received.splice(0);
      await threads.history(ID, left);
      await threads.update(ID, left);
      const bodies = server?.received.map(({ body }) => JSON.parse(body));
      expect(bodies).to.deep.equal([{ limit: 1 }, { metadata: {} }]);
    }
  });

  it("sends the filters with each page, and what an assistant's update does not name, since servers would keep it", async () => {
    const { assistants, crons, threads } = await answering(200, []);
    await Array.fromAsync(threads.searchAll({ status: "idle", limit: 5_000, offset: 3 }));
    await Array.fromAsync(assistants.listVersions("a", { metadata: { a: 1 } }));
    await Array.fromAsync(crons.searchAll({ assistant_id: "a" }));
    for (const body of [{ context: { a: 1 } }, { config: { tags: [] } }])
      await rejection(assistants.update("a", body));
    expect(server?.received.map(({ body }) => JSON.parse(body))).to.deep.equal([
      { status: "idle", limit: 1_000, offset: 3 },
      { metadata: { a: 1 }, limit: 100, offset: 0 },
      { assistant_id: "a", limit: 100, offset: 0 },
      { config: { configurable: {} }, context: { a: 1 } },
      { config: { configurable: {}, tags: [] }, context: {} },
    ]);
  });

  it("reads a refusal in plain text, a 400 as one of what was asked", async () => {
    const { threads } = await answeringText(404, `Thread with ID ${ID} not found`);
    const error = await rejection(threads.get(ID));
    expect(error).to.be.instanceOf(NotFound);
    expect(error.message).to.equal(`get thread '${ID}': 404 Thread with ID ${ID} not found`);
    const refusing = (await answeringText(400, "Thread has no graph ID")).threads;
    expect(await rejection(refusing.updateState(ID, {}))).to.be.instanceOf(Unprocessable);
  });

  it("gives a run its own time limit in the place of the client's", async () => {
    const answer = { messages: [] };
    const { runs } = await against(always(200, answer), { requestTimeoutSeconds: 0.001 });
    expect(await runs.wait(ID, { assistant_id: "agent" })).to.deep.equal(answer);
  });

  it("waits for any answer where the time limit is none, or longer than a timer can be", async () => {
    for (const timeoutSeconds of [Infinity, 3_000_000]) {
      const agentServer = await against(
        (_request, response) => void setTimeout(() => json(response, 200, {}), 20),
        { requestTimeoutSeconds: timeoutSeconds },
      );
      expect(await agentServer.info()).to.deep.equal({});
      const run = agentServer.runs.wait(ID, { assistant_id: "agent" }, { timeoutSeconds });
      expect(await run).to.deep.equal({});
    }
  });

  it("gives up a run at its own time limit, without sending it twice", async () => {
    const { runs } = await against(() => undefined);
    // Until it has been given the time to arrive.
    for (let timeoutSeconds = 0.05; !server?.received[0]; timeoutSeconds *= 2) {
      const error = await rejection(runs.wait(ID, { assistant_id: "agent" }, { timeoutSeconds }));
      expect(error.message).to.contain(`timed out after ${timeoutSeconds} s without a response`);
    }
    expect(server.received).to.have.length(1);
  });

  /** A server whose run goes on for ever, with a heartbeat; it names the run before. */
  const running = () =>
    against(({ url }, response) => {
      if (url.includes("/cancel")) return response.writeHead(202).end();
      response.writeHead(200, { "content-location": `/threads/${ID}/runs/r1` });
      return response.write("\n");
    });
  const cancelled = [`/threads/${ID}/runs/wait`, `/threads/${ID}/runs/r1/cancel?wait=true`];

  for (const [what, options, isTimeout] of [
    ["is late, though heartbeats come", (ms: number) => ({ timeoutSeconds: ms / 1000 }), true],
    ["has an aborted signal", (ms: number) => ({ signal: AbortSignal.timeout(ms) }), false],
  ] as const)
    it(`cancels a run that ${what}`, async () => {
      const { runs } = await running();
      for (let timeMs = 200; !server?.received[1]; timeMs *= 2) {
        server?.received.splice(0);
        const error = await rejection(runs.wait(ID, { assistant_id: "agent" }, options(timeMs)));
        expect(error.message.includes("timed out after")).to.equal(isTimeout);
      }
      expect(server.received.map(({ url }) => url)).to.deep.equal(cancelled);
    });
});
