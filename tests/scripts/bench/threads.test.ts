import { expect } from "chai";
import { runBench, type Bench } from "../../../scripts/bench/bench";
import { summarise } from "../../../scripts/bench/figure";
import { send, type Request } from "../../../scripts/bench/load";
import { Servers } from "../../../scripts/bench/servers";
import { measureThreads } from "../../../scripts/bench/threads";
import { startBuiltIn } from "../../../scripts/bench/threads/built-in";
import { conversation } from "../../../scripts/bench/threads/conversations";
import { create, OPERATIONS, type Subject } from "../../../scripts/bench/threads/operations";

const PLAN = {
  small: 10,
  large: 40,
  rounds: { most: 2, fewest: 2, paces: [{ clients: 2, requests: 4 }] },
  seconds: 0,
};

const bench: Bench = {
  about: "the same, with less of everything and without the real server",
  limitSeconds: 3600,
  run: (stage) => measureThreads(stage, PLAN),
};

describe("the bench of threads", () => {
  it("measures requests to built-in servers with few and many threads, with the goals beside them", async () => {
    const stage = { signal: new AbortController().signal, say: () => undefined };
    const { tables } = await runBench("threads", bench, stage);
    expect(tables.map(({ title }) => title)).to.deep.equal([
      "create, empty, 2 at a time (2 rounds of 2), no proxy",
      "create with a conversation, 2 at a time (2 rounds of 2), no proxy",
      "state, 2 at a time (2 rounds of 4), no proxy",
      "history, 2 at a time (2 rounds of 4), no proxy",
      "search, no filter, 2 at a time (2 rounds of 4), no proxy",
      "search by a customer's metadata, 2 at a time (2 rounds of 4), no proxy",
      "search by metadata that all threads have, 2 at a time (2 rounds of 4), no proxy",
    ]);
    for (const { rows } of tables) {
      for (const { median } of rows.flatMap(({ figures }) => figures.map(summarise)))
        expect(median).to.be.above(0);
      const goals = rows.map(({ name, figures }) => [name, figures.map(({ atMost }) => atMost)]);
      expect(goals).to.deep.equal([
        ["10 threads", [undefined, undefined, undefined]],
        ["40 threads", [undefined, undefined, undefined]],
        ["40 threads : 10 threads", [undefined, 1.5, undefined]],
      ]);
    }
  });
});

describe("the built-in server of the bench of threads", () => {
  const { signal } = new AbortController();
  let servers: Servers;
  let subject: Subject;
  before(async () => {
    servers = await Servers.open(signal);
    subject = await startBuiltIn(servers, 40, signal);
  });
  after(() => servers.close());

  const ask = async (request: Request): Promise<unknown> =>
    JSON.parse(await send(subject.server, request, { signal }));
  const count = () => ask({ method: "POST", path: "/threads/count", body: {}, status: 200 });

  it("holds what POST /threads makes", async () => {
    const made = Object(await ask(create(conversation(0))));
    const read = async (id: string) => {
      const thread = await ask({ method: "GET", path: `/threads/${id}`, status: 200 });
      const path = `/threads/${id}/history?limit=10`;
      const history = await ask({ method: "GET", path, status: 200 });
      return withoutIdsAndTimes({ thread, history });
    };
    expect(await read(subject.ids[0] ?? "")).to.deep.equal(await read(made.thread_id));
    await send(
      subject.server,
      { method: "DELETE", path: `/threads/${made.thread_id}`, status: 204 },
      { signal },
    );
  });

  it("answers every search with a full page, and every thread with its conversation", async () => {
    for (const { name, request } of OPERATIONS)
      for (const index of [0, 1, 2]) {
        const answer = await ask(request(subject, index));
        if (name.startsWith("search")) expect(answer, name).to.have.length(10);
        if (name === "history") expect(answer).to.have.length(2);
        if (name === "state") expect(answer).to.have.nested.property("values.messages.length", 2);
      }
  });

  it("holds as many threads as before when what was created is undone", async () => {
    for (const { request, undo } of OPERATIONS.filter(({ name }) => name.startsWith("create"))) {
      await ask(request(subject, 0));
      expect(await count()).to.be.above(40);
      await undo?.(subject.server, signal);
      expect(await count()).to.equal(40);
    }
  });
});

function withoutIdsAndTimes(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/[0-9a-f-]{36}/g, "an id")
    .replaceAll(/"\d{4}-[^"]*Z"/g, '"a time"');
  return JSON.parse(text);
}
