import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { cronLifecycle } from "../../../provider/cron/operations";
import { defaultAssistantId } from "../../../sdk/schema";
import { until } from "../../local/children";
import { contentsOf } from "../../support/agents";
import { afterKill } from "../../support/lifecycle";
import { reasonOf } from "../../support/rejection";
import { question } from "../../support/runs";
import { CronSubject, useSubject } from "../agent-server/subject";

/** Agent servers read the seconds in the last field. */
const EVERY_FIVE_SECONDS = "* * * * * */5";
const RARELY = "0 0 1 1 *";

/** The life of the resource `Cron` on a real server, whose threads say what has fired. */
export function lifeSuite(url: () => string, revise: (test: Mocha.Context) => Promise<unknown>) {
  const subject = useSubject(() => new CronSubject(url));
  afterEach(async () => {
    for (const { cron_id } of await subject.all()) await subject.client.crons.delete(cron_id);
  });

  const often = (content: string) => ({
    schedule: EVERY_FIVE_SECONDS,
    onRunCompleted: "keep",
    input: question(content),
    metadata: { test: randomUUID() },
  });
  const threadsOf = (metadata: Readonly<Record<string, unknown>>) =>
    Array.fromAsync(subject.client.threads.searchAll({ metadata }));
  /** Waits until a cron has fired so often, with what its threads have: a cron that stands twice fires twice at a time. */
  const untilFired = async (metadata: Readonly<Record<string, unknown>>, times: number) => {
    await until(
      "the firings",
      async () => {
        const threads = await threadsOf(metadata);
        return threads.length >= times && threads.every(({ status }) => status === "idle");
      },
      120,
    );
    const threads = await threadsOf(metadata);
    const at = threads.map(({ created_at }) => Date.parse(created_at)).toSorted((a, b) => a - b);
    for (const [index, time] of at.slice(1).entries())
      expect(time - (at[index] ?? 0)).to.be.greaterThan(1000);
    return threads;
  };

  it("fires with its input, goes on with another one and over a new revision, and exists once", async function () {
    const args = often("Where is order 7?");
    const { metadata } = args;
    const made = await subject.create(args);
    expect(made.outs).to.deep.include({ cronId: made.id, lastRunStatus: null });
    for (const { values } of await untilFired(metadata, 2))
      expect(contentsOf(values)[1]).to.contain("order 7");
    const read = await subject.read(made);
    expect(read.inputs).to.deep.equal(made.inputs);
    expect(read.props?.["lastRunStatus"]).to.be.oneOf(["success", "running", "pending"]);
    expect((await subject.update(made, made.inputs)).diff).to.deep.equal({ changes: false });

    const fired = (await threadsOf(metadata)).length;
    const updated = await subject.update(made, { ...args, input: question("Where is order 8?") });
    expect(subject.said.join()).to.match(
      /it fires next on .* UTC; the last of its six fields is the seconds/,
    );
    const threads = await untilFired(metadata, fired + 2);
    expect(contentsOf(threads[0]?.values)[1]).to.contain("order 8");
    await revise(this);
    await untilFired(metadata, (await threadsOf(metadata)).length + 2);
    expect(await subject.all(metadata)).to.have.length(1);
    await subject.delete(updated);
    expect((await subject.read(updated)).id).to.equal("");
    expect(await subject.all(metadata)).to.deep.equal([]);
  }).timeout(900_000);

  recordSuite(subject);
}

/** The life of its record on a server that may fire nothing. */
export function recordSuite(subject: CronSubject) {
  it("is found again after a POST or a kill that left no id, and nothing else is adopted", async () => {
    const args = { metadata: { test: randomUUID() } };
    subject.lose("POST /runs/crons", "after");
    const made = await subject.create(args);
    expect(await subject.all(args.metadata)).to.have.length(1);
    // The process ends after the POST: only the state knows of the create.
    const killed = afterKill(subject.context(), made.inputs, made.inputs);
    expect((await subject.create(args, killed)).id).to.equal(made.id);
    expect(await reasonOf(subject.create(args)))
      .to.contain(`cron ${made.id} carries the mark of this resource at`)
      .and.contain("set adoptExisting: true");
  });

  it("sends no second POST after one that may never have arrived", async () => {
    const args = { metadata: { test: randomUUID() } };
    subject.lose("POST /runs/crons", "before");
    expect(await reasonOf(subject.create(args))).to.contain("it adopts what this request created");
    expect(subject.requests.filter((request) => request === "POST /runs/crons")).to.have.length(1);
  });

  it("is cleared and imported as it is declared", async () => {
    const all = {
      timezone: "Europe/Berlin",
      input: question("a"),
      context: { a: 1 },
      config: { tags: ["x"], recursionLimit: 7 },
      metadata: { team: "a", gone: 1 },
      onRunCompleted: "keep",
      interruptBefore: ["agent"],
      interruptAfter: ["agent"],
      durability: "sync",
    };
    const made = await subject.create(all);
    expect((await subject.read(made)).inputs).to.deep.equal(made.inputs);
    const place = `${subject.url}/runs/crons/${made.id}`;
    const imported = await cronLifecycle.read(place, {}, subject.context());
    expect(imported.id).to.equal(made.id);
    const { graphId: _graph, ...inputs } = made.inputs;
    expect(imported.inputs).to.deep.equal({ ...inputs, assistantId: defaultAssistantId("agent") });
    const nothing = { config: { tags: null } };
    const rest = { input: question("a"), metadata: { team: "b" }, ...nothing };
    const cleared = await subject.update(made, rest);
    expect((await subject.read(cleared)).inputs).to.deep.equal(cleared.inputs);
    expect(await subject.client.crons.get(made.id)).to.deep.include({
      timezone: "UTC",
      context: {},
      config: {},
      interrupt_before: [],
      interrupt_after: [],
      on_run_completed: "delete",
    });
    expect(await reasonOf(subject.update(cleared, {}))).to.equal("replaces input");
    await subject.client.crons.update(made.id, { enabled: false });
    expect((await subject.read(cleared)).inputs).to.deep.include({ enabled: false });
  });

  it("stays that of its program at a refresh after a create that did not finish, and is gone where it was deleted", async () => {
    const made = await subject.create();
    const { createdAt: _, ...outs } = made.outs;
    const unfinished = { ...made, outs };
    const { inputs = {} } = await subject.read(unfinished);
    expect(inputs).to.include({ graphId: "agent" }).and.not.have.property("assistantId");
    await subject.client.crons.delete(made.id);
    expect((await subject.read(unfinished)).id).to.equal("");
  });

  it("is that of an assistant by its id in any case", async () => {
    const { assistant_id: assistantId } = await subject.client.assistants.create({
      graph_id: "agent",
    });
    const own = { graphId: undefined, assistantId };
    const inCapitals = { ...own, assistantId: assistantId.toUpperCase() };
    const made = await subject.create(inCapitals);
    expect((await subject.update(made, own)).diff).to.deep.equal({ changes: false });
    const before = { ...made, outs: { ...made.outs, assistantId: inCapitals.assistantId } };
    expect((await subject.update(before, own)).diff.replaces).to.equal(undefined);
  });

  it("takes names that all objects have, and -0, for values like others", async () => {
    const odd = { metadata: { constructor: "a" }, context: { zero: -0 } };
    const made = await subject.create(odd);
    expect((await subject.update(made, odd)).diff).to.deep.equal({ changes: false });
    const { diff } = await subject.update(made, { ...odd, metadata: {} });
    expect(diff).to.deep.equal({});
  });

  it("is not believed to have changed where the server answers 200 and does nothing", async () => {
    const made = await subject.create();
    const unchanged: unknown = await (await fetch(`${subject.url}/runs/crons/${made.id}`)).json();
    subject.answers["PATCH /runs/crons/…"] = () => [200, unchanged];
    expect(await reasonOf(subject.update(made, { schedule: RARELY }))).to.contain(
      `answered 200 for cron ${made.id}, and it has another value of schedule`,
    );
  });
}
