import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { NotFound } from "../../../sdk";
import { recordOf } from "../../../shared/records";
import { until } from "../../local/children";
import { reasonOf, rejection } from "../../support/rejection";
import { AssistantSubject, useSubject } from "../agent-server/subject";

/** The life of the resource `Assistant` on a real server, where servers differ. */
export function lifeSuite(kind: "javascript" | "python", url: () => string): void {
  const subject = useSubject(() => new AssistantSubject(url));
  const given = () => ({ assistantId: randomUUID() });

  it("sends one PATCH for each change and none for no change, and shows no drift", async () => {
    const id = given();
    const args = { ...id, context: { prompt: "a", n: 1 }, config: { tags: ["x"] } };
    const made = await subject.create({ ...args, metadata: { team: "a" }, description: "text" });
    expect((await subject.read(made)).inputs).to.deep.equal(made.inputs);
    subject.requests.splice(0);
    expect((await subject.update(made, made.inputs)).diff).to.deep.equal({ changes: false });
    expect(subject.requests).to.deep.equal([]);
    const cleared = await subject.update(made, id);
    expect(cleared.outs).to.include({ version: 2 });
    const empty = { context: {}, config: {}, description: null };
    expect(await subject.get(made.id)).to.deep.include(empty);
    expect((await subject.read(cleared)).inputs).to.deep.equal(cleared.inputs);
    await subject.delete(cleared);
    expect((await subject.read(cleared)).id).to.equal("");
  });

  it("shows no drift of `configurable`, and goes over to a context", async () => {
    const id = given();
    const made = await subject.create({ ...id, config: { configurable: { prompt: "a" } } });
    expect((await subject.read(made)).inputs).to.deep.equal(made.inputs);
    const newer = await subject.update(made, { ...id, context: { prompt: "a" } });
    expect((await subject.read(newer)).inputs).to.deep.equal(newer.inputs);
    expect(await subject.get(made.id)).to.deep.include({ context: { prompt: "a" }, config: {} });
    await subject.delete(newer);
  });

  it("is not deleted while a thread of it is busy, unless that is asked for", async () => {
    const made = await subject.create(given());
    const { threads } = subject.client;
    const { thread_id: thread } = await threads.create();
    const runs = `${url()}/threads/${thread}/runs`;
    const input = { messages: [{ role: "user", content: "Think." }] };
    await send("POST", runs, { assistant_id: made.id, input });
    const busy = () => threads.count({ status: "busy", metadata: { assistant_id: made.id } });
    await until("the run", async () => (await busy()) === 1);
    expect(await reasonOf(subject.delete(made)))
      .to.contain("in use (busy threads: 1, crons: 0)")
      .and.contain("or set forceDelete: true");
    expect(await subject.get(made.id)).to.include({ version: 1 });
    const outs = { ...made.outs, forceDelete: true, deleteThreads: true };
    await subject.delete({ ...made, outs });
    expect(await rejection(subject.get(made.id))).to.be.instanceOf(NotFound);
    expect(await rejection(threads.get(thread))).to.be.instanceOf(NotFound);
  });

  if (kind === "python")
    it("is not deleted while a cron runs it, which the server deletes too where that is asked for", async () => {
      const made = await subject.create(given());
      const cron = { assistant_id: made.id, schedule: "0 0 1 1 *", input: {} };
      const { cron_id: id } = await send("POST", `${url()}/runs/crons`, cron);
      expect(await reasonOf(subject.delete(made)))
        .to.contain("in use (busy threads: 0, crons: 1)")
        .and.contain(`delete the crons (${String(id)}), or`);
      expect(await subject.get(made.id)).to.include({ version: 1 });
      await subject.delete({ ...made, outs: { ...made.outs, forceDelete: true } });
      await rejection(send("GET", `${url()}/runs/crons/${String(id)}`));
      expect(await rejection(subject.get(made.id))).to.be.instanceOf(NotFound);
    });

  it(`warns of a context that does not fit the graph's schema${kind === "python" ? "" : ", if the server could tell it"}`, async () => {
    await subject.checked({ context: { temperature: "hot" } });
    expect(subject.said.join()).to.equal(
      kind === "python"
        ? "context.temperature does not fit the context_schema of graph 'agent': Invalid input: expected number, received string"
        : "",
    );
  });

  it(`says that there is no such graph: ${kind === "python" ? "an error" : "a warning"}`, async () => {
    const args = { ...given(), graphId: "agnet" };
    const made = await subject.create(args).catch((error: Error) => error);
    const text = made instanceof Error ? made.message : subject.said.join();
    expect(text).to.match(
      kind === "python"
        ? /Graph 'agnet' not found\. Expected one of/
        : /the agent server has no graph 'agnet': runs of assistant \S+ fail/,
    );
    if (!(made instanceof Error)) await subject.delete(made);
  });
}

/** Sends what the provider never does. */
async function send(method: string, url: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
  const parsed: unknown = text.startsWith("{") ? JSON.parse(text) : {};
  return recordOf(parsed);
}
