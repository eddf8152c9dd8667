import { expect } from "chai";
import { cronArguments, describeFiring, difference } from "../../../provider/cron/diff";
import { optionInputs } from "../../../provider/arguments/option-inputs";
import { UNKNOWN } from "../../../provider/arguments/props";
import { problemsOn } from "../../../provider/cron/create";
import { cronLifecycle } from "../../../provider/cron/operations";
import { markOf, patchOf, toCreateRequest, toInputs } from "../../../provider/cron/values";
import { nextFiring, scheduleProblem, scheduleWarning } from "../../../provider/cron/schedule";
import { InitializationFailure } from "../../../provider/resource/errors";
import { defaultAssistantId } from "../../../sdk/schema";
import { recordOf } from "../../../shared/records";
import { startRuns } from "../../../lab/faults/runs";
import { useAgentServer } from "../../local/agentserver/support";
import { afterKill } from "../../support/lifecycle";
import { initializationFailure, reasonOf, rejection } from "../../support/rejection";
import { CronSubject, useSubject } from "../agent-server/subject";
import { recordSuite } from "./life.suite";

const AFTER = Date.parse("2026-03-25T12:00:30Z");

/** What croniter 7.0.0 says, by which the Python server fires: the first firing after 12:00:30 on a Wednesday, in UTC. */
const CRONITER: Readonly<Record<string, string>> = {
  "* * * * *": "Wed, 25 Mar 2026, 12:01:00",
  "0 9 * * 1-5": "Thu, 26 Mar 2026, 09:00:00",
  "0 9 1 * *": "Wed, 1 Apr 2026, 09:00:00",
  "0 0 1,15 * 1": "Mon, 30 Mar 2026, 00:00:00",
  "0 0 * * 7": "Sun, 29 Mar 2026, 00:00:00",
  "0 0 * * 5#2": "Fri, 10 Apr 2026, 00:00:00",
  "0 0 L * *": "Tue, 31 Mar 2026, 00:00:00",
  "5/15 * * * *": "Wed, 25 Mar 2026, 12:05:00",
  "@weekly": "Sun, 29 Mar 2026, 00:00:00",
  "* * * * * */5": "Wed, 25 Mar 2026, 12:00:35",
  "*/5 * * * * *": "Wed, 25 Mar 2026, 12:00:31",
  "0 9 * * * 30": "Thu, 26 Mar 2026, 09:00:30",
};

describe("a cron's schedule", () => {
  for (const [schedule, next] of Object.entries(CRONITER))
    it(`comes as the server has it: ${schedule}`, () => {
      expect(scheduleProblem(schedule)).to.equal(undefined);
      expect(nextFiring(schedule, "UTC", AFTER)).to.equal(`${next} UTC`);
    });

  it("comes by the clock of its time zone, also over a change of it", () => {
    const next = (schedule: string) => nextFiring(schedule, "Europe/Berlin", AFTER);
    expect(next("0 14 * * *")).to.equal("Wed, 25 Mar 2026, 14:00:00 Europe/Berlin");
    expect(next("0 9 29 3 *")).to.equal("Sun, 29 Mar 2026, 09:00:00 Europe/Berlin");
  });

  it("warns where each second of a minute may not be meant", () => {
    expect(scheduleWarning("*/5 * * * * *")).to.contain('set "* * * * * */5"');
    for (const schedule of ["* * * * * */5", "*/5 * * * *", "@daily"])
      expect(scheduleWarning(schedule)).to.equal(undefined);
  });

  for (const [schedule, reason] of [
    ["0 0 31 2 *", "never comes"],
    ["60 * * * *", "is not a schedule"],
    ["* * * *", "is not a schedule"],
    ["each morning", "is not a schedule"],
    ["0 0 * * * 0 2030", "it has five fields, or six of which the last is the seconds"],
  ] as const)
    it(`is refused in words: ${schedule}`, () => {
      expect(scheduleProblem(schedule)).to.contain(reason);
    });
});

describe("a cron's arguments", () => {
  const given = { deploymentUrl: "https://a.example.com", graphId: "agent", schedule: "@daily" };
  for (const [title, args, problem] of [
    ["no assistant", { graphId: undefined }, "assistantId or graphId is required"],
    ["two contexts", { context: { a: 1 }, config: { configurable: { a: 1 } } }, "never fire it"],
    ["an offset", { timezone: "+01:00" }, "timezone is not the name of a time zone"],
    ["a time zone", { timezone: "Berlin" }, "timezone is not the name of a time zone"],
    ...["europe/berlin", "Europe/berlin", "utc", "Utc", "us/eastern"].map(
      (timezone) => ["a case", { timezone }, "timezone is not the name of a time zone"] as const,
    ),
    ["a local end time", { endTime: "2030-01-31T12:00:00" }, "endTime must be a time such as"],
    ["a strategy without a thread", { multitaskStrategy: "reject" }, "needs threadId"],
    ["metadata of runs", { metadata: { cron_id: "1" } }, "metadata.cron_id is set by runs"],
  ] as const)
    it(`are refused: ${title}`, () => {
      const problems = cronArguments.problems({ ...given, ...args });
      expect(problems.map(({ property, reason }) => `${property} ${reason}`).join()).to.contain(
        problem,
      );
    });

  it("name a graph by the id of its default assistant too, as an import does, without a replacement", () => {
    const assistantId = defaultAssistantId("agent");
    const byGraph = cronArguments.decode(given);
    const byId = cronArguments.decode({ ...given, graphId: undefined, assistantId });
    const options = { isLost: false, isChecked: true, nowMs: AFTER };
    expect(difference(byGraph, byId, options).result).to.deep.equal({});
    expect(difference(byId, byGraph, options).result).to.deep.equal({});
  });

  it("say what a replacement keeps, also of what no request clears, and that a replaced deployment keeps nothing", () => {
    const olds = cronArguments.decode({ ...given, input: { a: 1 }, webhook: "https://b.example" });
    const differenceFor = (args: object, isLost: boolean) =>
      difference(olds, cronArguments.decode({ ...given, ...args }), {
        isLost,
        isChecked: true,
        nowMs: AFTER,
      });
    const { result, message } = differenceFor({ graphId: undefined, assistantId: "a" }, false);
    expect(result.replaces).to.have.members(["assistantId", "graphId", "input", "webhook"]);
    expect(message).to.match(/the threads of its runs stay$/);
    expect(differenceFor({}, true).message).to.match(
      /deleted first, as all that its agent server keeps$/,
    );
    const kept = { input: { a: 1 }, webhook: "https://b.example" };
    const later = difference(
      cronArguments.decode({ ...given, graphId: undefined, assistantId: "a" }),
      cronArguments.decode({ ...given, graphId: undefined, assistantId: UNKNOWN }),
      { isLost: false, isChecked: false, nowMs: AFTER },
    );
    expect(later.result.replaces).to.deep.equal(["assistantId"]);
    const moved = differenceFor({ ...kept, timezone: "Asia/Tokyo" }, false);
    expect(moved.message).to.contain("it fires next on");
  });

  it("are sent with the defaults that a server may change, and the mark of a resource has its parents", () => {
    const { graphId, schedule } = given;
    const sent = { assistant_id: graphId, schedule, timezone: "UTC", enabled: true };
    const bodyOf = (args: object) => toCreateRequest({ graphId, schedule, ...args }, "mark");
    const metadata = { pulumi_cron: "mark" };
    expect(bodyOf({})).to.deep.equal({ ...sent, on_run_completed: "delete", metadata });
    const onThread = bodyOf({ threadId: "t", multitaskStrategy: "reject" });
    expect(onThread).to.deep.include({ ...sent, multitask_strategy: "reject", metadata });
    expect(onThread.on_run_completed).to.equal(undefined);
    const urn = "urn:pulumi:dev::shop::shop:index:Team$agentserver:index:Cron::digest";
    expect(markOf({ urn })).to.equal("shop/dev/shop:index:Team/digest");
  });

  it("say when it fires next, unless it is not enabled or not known yet", () => {
    const said = (args: object) =>
      describeFiring(cronArguments.decode({ ...given, ...args }), AFTER);
    expect(said({})).to.equal("it fires next on Thu, 26 Mar 2026, 00:00:00 UTC");
    expect(said({ enabled: false })).to.equal("it is not enabled, so that it does not fire");
    expect(said({ schedule: undefined })).to.equal(undefined);
  });
});

describe("a cron on a server that keeps none", () => {
  const server = useAgentServer({ graphs: ["agent"] });
  const subject = useSubject(() => new CronSubject(() => `http://127.0.0.1:${server.port()}`));

  it("is refused at the preview, and at a create that no preview saw, before anything is sent, as are an end time and an unknown graph elsewhere", async () => {
    const words = "built-in agent server, which runs nothing and keeps no crons";
    expect(await reasonOf(subject.checked({}))).to.contain(words);
    const inputs = { deploymentUrl: subject.url, graphId: "agent", schedule: "@daily" };
    const { message } = await rejection(subject.createUnchecked(inputs));
    expect(message).to.contain(words).and.contain(`create cron at ${subject.url}: `);
    expect(subject.requests.filter((request) => request !== "GET /info")).to.deep.equal([]);
    subject.answers["GET /info"] = () => [200, { version: "0.16.7", flags: { crons: true } }];
    expect(await reasonOf(subject.checked({ endTime: "2030-01-01T00:00:00+01:00" }))).to.match(
      /^endTime is refused, since with one enabled cron that has an end time/,
    );
    expect(await reasonOf(subject.checked({ graphId: "agnet" }))).to.contain(
      "graphId is refused by the agent server: Graph 'agnet' not found;",
    );
  });
});

describe("an enabled cron with an end time", () => {
  const problems = (version: string | undefined, props: object = {}) =>
    problemsOn({ version, flags: { crons: true } }, { endTime: "2030-01-01T00:00:00Z", ...props });

  it("is for servers newer than the last one that is known to fire no cron then", () => {
    for (const old of [undefined, "", "0.7.40", "0.15.9", "0.16.7"])
      expect(problems(old), old).to.have.nested.property("[0].property", "endTime");
    for (const newer of ["0.16.8", "0.16.10", "0.17.0", "0.17.0rc1", "1.0.0"])
      expect(problems(newer), newer).to.deep.equal([]);
    for (const without of [{ enabled: false }, { endTime: null }, { endTime: undefined }])
      expect(problems("0.16.7", without)).to.deep.equal([]);
  });
});

describe("a cron on a server that keeps it, or has it twice, as a POST that outlived its run makes it", () => {
  const server = useAgentServer({ graphs: ["agent", "other"] });
  let withCrons: Awaited<ReturnType<typeof startRuns>>;
  beforeEach(async () => {
    withCrons = await startRuns(`http://127.0.0.1:${server.port()}`, Date.now);
  });
  const subject = useSubject(() => new CronSubject(() => withCrons.url));
  afterEach(() => withCrons.close());

  recordSuite(subject);

  /** A second one with the mark of the first. */
  const addTwin = async (schedule: string) => {
    const [{ metadata } = { metadata: {} }] = await subject.all();
    const same = { timezone: "UTC", enabled: true, on_run_completed: "delete" } as const;
    return subject.client.crons.create({ assistant_id: "agent", schedule, metadata, ...same });
  };

  it("warns of a schedule that may not be meant where it is new, and not with each later change", async () => {
    const often = { schedule: "*/5 * * * * *" };
    const made = await subject.create(often);
    expect(subject.said.splice(0).join()).to.contain("fires each second of every minute");
    await subject.update(made, { ...often, metadata: { team: "a" } });
    expect(subject.said.join()).not.to.match(/fires each second|fires next/);
    await subject.update(made, { ...often, enabled: false });
    expect(subject.said.join()).to.contain("it is not enabled, so that it does not fire");
  });

  it("shows how its own newest run on a thread ended, not that of another", async () => {
    const thread = await subject.client.threads.create();
    const made = await subject.create();
    const [cron] = await subject.all();
    const run = (status: string, metadata: object = {}) => ({
      run_id: made.id,
      thread_id: thread.thread_id,
      assistant_id: made.id,
      created_at: "2026-01-01T00:00:00Z",
      status,
      metadata,
    });
    const own = cron?.metadata ?? {};
    const runs = [run("success"), run("error", own), run("success", own)];
    subject.answers["POST /threads/search"] = (body) => [
      200,
      JSON.parse(body).metadata ? [thread] : [],
    ];
    subject.answers["GET /threads/…/runs"] = () => [200, runs];
    expect((await subject.read(made)).props).to.include({ lastRunStatus: "error" });
    // That of a thread of its own is on it.
    subject.answers["POST /threads/search"] = () => [200, []];
    subject.answers["POST /threads/…/runs/crons"] = () => [
      200,
      { ...cron, thread_id: thread.thread_id },
    ];
    await subject.client.crons.delete(made.id);
    const { outs } = await subject.create({ threadId: thread.thread_id.toUpperCase() });
    subject.answers["GET /runs/crons/…"] = subject.answers["POST /threads/…/runs/crons"];
    expect((await subject.read({ ...made, outs })).props).to.include({ lastRunStatus: "error" });
  });

  it("is changed and read also where the server can't say how its last run ended", async () => {
    const made = await subject.create();
    subject.answers["POST /threads/search"] = () => [400, { detail: "no" }];
    const { outs } = await subject.update(made, { schedule: "@weekly" });
    for (const props of [outs, (await subject.read(made)).props])
      expect(props).to.include({ schedule: "@weekly", lastRunStatus: null });
  });

  it("is sent a PATCH once more only where that was lost and has changed nothing, and is read where the answer does not show it", async () => {
    const patches = () => subject.requests.splice(0).filter((name) => name.startsWith("PATCH"));
    const made = await subject.create();
    for (const [when, schedule, times] of [
      ["after", "@weekly", 1],
      ["before", "@monthly", 2],
    ] as const) {
      subject.lose("PATCH", when);
      await subject.update(made, { schedule });
      expect(patches(), when).to.have.length(times);
    }
    const [shown] = await subject.all();
    subject.answers["PATCH /runs/crons/…"] = () => [422, { detail: "no" }];
    await rejection(subject.update(made, { schedule: "@daily" }));
    expect(patches()).to.have.length(1);
    subject.answers["PATCH /runs/crons/…"] = () => [200, shown];
    subject.answers["GET /runs/crons/…"] = () => {
      const isSent = subject.requests.includes("PATCH /runs/crons/…");
      return [200, { ...shown, ...(isSent && { schedule: "@daily" }) }];
    };
    await subject.update(made, { schedule: "@daily" });
  });

  it("is brought back by a program that takes back a change of which the server did only a part, or did not say", async () => {
    const before = { metadata: { team: "a" } };
    const after = { schedule: "@daily", durability: "sync", metadata: { tier: "b" } };
    const [patch, get] = ["PATCH /runs/crons/…", "GET /runs/crons/…"];
    const made = await subject.create(before);
    const [found] = await subject.all();
    const partly = () => [200, { ...found, schedule: "@daily", metadata: {} }] as const;
    const silent = () =>
      subject.requests.includes(patch)
        ? ([400, { detail: "no" }] as const)
        : ([200, found] as const);
    for (const answers of [{ [patch]: partly, [get]: partly }, { [get]: silent }]) {
      const inputs = { ...(await subject.checked(after, made.inputs)), __secrets: ["tier"] };
      const olds = { ...made.outs, __secrets: ["team"] };
      subject.requests.splice(0);
      subject.lose("PATCH", "after");
      Object.assign(subject.answers, answers);
      const { id, properties: outs } = await initializationFailure(
        cronLifecycle.update(made.id, olds, inputs, subject.context()),
      );
      expect(outs["__secrets"]).to.deep.equal(["team", "tier"]);
      for (const request of Object.keys(answers)) delete subject.answers[request];
      subject.lose("PATCH", "after", 0);
      await subject.client.crons.update(made.id, { schedule: "@daily", durability: "sync" });
      await subject.client.crons.update(made.id, { metadata: { tier: "b", team: null } });
      await subject.update({ id, outs, inputs }, before);
      const [cron] = await subject.all();
      expect(cron).to.include({ schedule: "0 9 * * 1-5", durability: "async" });
      expect(cron?.metadata).to.include({ team: "a", tier: null });
    }
  });

  it("is brought to what is declared by the update after a create that could not do it", async () => {
    await subject.create({ schedule: "@weekly" });
    const patch = "PATCH /runs/crons/…";
    subject.answers[patch] = () => [422, { detail: "no" }];
    const args = { adoptExisting: true };
    const failure = await rejection(subject.create(args));
    if (!(failure instanceof InitializationFailure)) throw failure;
    const [, preview] = subject.said;
    expect(preview).to.match(/^adopts cron 'shop\/dev\/digest' if it exists; it fires next on /);
    delete subject.answers[patch];
    const { id, properties: outs } = failure;
    await subject.update({ id, outs, inputs: await subject.checked(args) }, args);
    expect((await subject.all()).map(({ schedule }) => schedule)).to.deep.equal(["0 9 * * 1-5"]);
  });

  it("keeps what its program ignores as others have set it", async () => {
    const made = await subject.create({ timezone: "Europe/Berlin" });
    await subject.client.crons.update(made.id, { timezone: "Asia/Tokyo" });
    const ignoring = optionInputs({ ignoreChanges: ["timezone"] });
    await subject.update(made, { ...made.inputs, ...ignoring, schedule: "@daily" });
    expect((await subject.all())[0]).to.include({ timezone: "Asia/Tokyo", schedule: "@daily" });
  });

  it("is deleted where it is gone meanwhile, and kept where another create has its id", async () => {
    const made = await subject.create();
    const [cron] = await subject.all();
    const [remove, get] = ["DELETE /runs/crons/…", "GET /runs/crons/…"];
    subject.answers[remove] = () => {
      subject.answers[get] = () => [404, { detail: "Cron not found" }];
      return [404, { detail: "Cron not found" }];
    };
    await subject.delete(made);
    expect(subject.requests.splice(0)).to.include(remove);
    subject.answers[get] = () => [200, { ...cron, created_at: "2020-01-01T00:00:00Z" }];
    await subject.delete(made);
    expect(subject.requests).not.to.include(remove);
  });

  it("is sent nothing where no value has changed that the server keeps, whatever others have changed", async () => {
    const made = await subject.create();
    await subject.client.crons.update(made.id, { schedule: "@daily" });
    await subject.update(made, { adoptExisting: true });
    expect(subject.requests.join()).not.to.contain("PATCH");
  });

  it("keeps its mark through an update where its resource has another name, and loses an end time that is removed", async () => {
    const made = await subject.create();
    const [{ metadata } = { metadata: {} }] = await subject.all();
    await subject.update(made, { metadata: { team: "a" } }, subject.context("weekly"));
    const [cron] = await subject.all({ ...metadata, team: "a" });
    const end_time = "2030-01-01T00:00:00Z";
    const patch = cron && patchOf({ ...cron, end_time }, { endTime: end_time }, {}, "");
    expect(patch?.body).to.deep.equal({ end_time: null });
    // Removed on the server it is drift.
    const shown = (end: string | null) =>
      cron && toInputs(cronArguments.decode({ endTime: end_time }), { ...cron, end_time: end });
    expect(shown(null)).not.to.have.property("endTime");
    expect(shown(end_time)).to.have.property("endTime", end_time);
    // Of its metadata only what is declared counts.
    const declared = cronArguments.decode({ metadata: { team: "b" } });
    expect(cron && toInputs(declared, cron)["metadata"]).to.deep.equal({ team: "a" });
    // The same time in another offset, no members and a key that is gone change nothing.
    const same = { endTime: "2030-01-01T01:00:00+01:00", interruptBefore: [], context: {} };
    const olds = { metadata: { gone: 1 } };
    expect(cron && patchOf({ ...cron, end_time }, olds, same, "")).to.equal(undefined);
    // One that is enabled again waits for its next time.
    const paused = cron && { ...cron, enabled: false, metadata: { gone: 1 } };
    const enabling = { enabled: true, schedule: cron?.schedule };
    const expected = { ...enabling, metadata: { gone: null, pulumi_cron: "mark" } };
    expect(paused && patchOf(paused, olds, enabling, "mark")?.body).to.deep.equal(expected);
  });

  it("is the older one of two that an interrupted create has left, and the later one goes", async () => {
    const made = await subject.create();
    await addTwin("0 9 * * 1-5");
    const killed = afterKill(subject.context(), made.inputs, made.inputs);
    expect((await subject.create({}, killed)).id).to.equal(made.id);
    expect(subject.said.join()).to.contain(
      "which an interrupted create of this resource made besides",
    );
    expect((await subject.all()).map(({ cron_id }) => cron_id)).to.deep.equal([made.id]);
  });

  it("is not made beside the one that the state has as this resource, and beside another resource's", async () => {
    const made = await subject.create();
    const context = subject.context();
    const { urn = "" } = context;
    const having = (holder: string) => ({
      ...afterKill(context, made.inputs),
      readState: async () => ({ resources: [{ urn: holder, id: made.id }], creating: [] }),
    });
    const { message } = await rejection(subject.create({}, having(urn)));
    expect(message).to.contain("and the state has it as this resource");
    const native = urn.replace("pulumi-nodejs:dynamic/agentserver:", "agentserver:index:");
    expect(await reasonOf(subject.create({}, having(native)))).to.contain(
      `set the option aliases: ["${native}"]`,
    );
    await subject.create({}, having(`${urn}-before`));
    expect(await subject.all()).to.have.length(2);
  });

  it("is not made where a search shows another stack's late, nor taken for its own after that", async () => {
    const theirs = await subject.create();
    const context = subject.context();
    const search = "POST /runs/crons/search";
    subject.answers[search] = () => {
      delete subject.answers[search];
      return [200, []];
    };
    for (const reason of ["a search before did not show it", "set adoptExisting: true"])
      expect(await reasonOf(subject.create({}, context))).to.contain(reason);
    expect((await subject.all()).map(({ cron_id }) => cron_id)).to.deep.equal([theirs.id]);
  });

  it("is not lost where only an older one with the mark is shown after its POST", async () => {
    const { id } = await subject.create();
    const found = await (await fetch(`${withCrons.url}/runs/crons/${id}`)).json();
    const shown = [{ ...recordOf(found), created_at: "2020-01-01T00:00:00Z" }];
    subject.answers["POST /runs/crons/search"] = () => [
      200,
      subject.requests.includes("POST /runs/crons") ? shown : [],
    ];
    subject.requests.splice(0);
    subject.lose("POST /runs/crons", "after");
    const failure = await initializationFailure(subject.create());
    expect(failure.message).to.contain("it may have created").and.contain("does not show it yet");
    const search = "POST /runs/crons/search";
    const destroy = () => subject.delete({ id: failure.id, outs: failure.properties });
    // A gateway without its server.
    subject.answers[search] = () => [404, {}];
    expect(await reasonOf(destroy())).to.contain(": 404");
    delete subject.answers[search];
    await subject.client.crons.delete(id);
    await destroy();
    expect(await subject.all()).to.be.empty;
  });

  it("stays where it runs another graph than what an earlier attempt of this run may have made", async () => {
    const theirs = await subject.create({ graphId: "other" });
    const context = subject.context();
    // The POST that was lost: the next attempt has its outputs, in which what is not declared is null.
    subject.lose("POST /runs/crons", "before");
    const failure = await rejection(subject.create({}, context));
    if (!(failure instanceof InitializationFailure)) throw failure;
    const { id, properties: outs } = failure;
    await subject.delete({ id, outs });
    const record = { verb: "create", id, outs, inputs: outs, hasFailed: true } as const;
    context.processCache.retryRecords.set(context.urn ?? "", record);
    await subject.create({}, context);
    expect((await subject.all()).map(({ cron_id }) => cron_id)).to.include(theirs.id);
  });

  it("is not named where the state has it: as what a create replaces, or under the former name of a renamed resource", async () => {
    const former = await subject.create({ graphId: "other" });
    const context = subject.context();
    const resources = [{ urn: context.urn ?? "", id: former.id }];
    const recorded = { ...context, readState: async () => ({ resources, creating: [] }) };
    const made = await subject.create({}, recorded);
    await cronLifecycle.read(made.id, made.outs, recorded);
    expect(subject.said.join()).not.to.contain("carries the mark");
    expect(await subject.all()).to.have.length(2);
  });

  it("is named at a refresh, which deletes nothing", async () => {
    const made = await subject.create();
    await subject.read(made);
    expect(subject.said.join()).not.to.contain("carries the mark");
    const { cron_id } = await addTwin("@daily");
    expect((await subject.read(made)).id).to.equal(made.id);
    expect(subject.said.join()).to.contain(
      `cron ${cron_id} carries the mark of this resource too, and fires besides ${made.id}`,
    );
    expect(await subject.all()).to.have.length(2);
    // Also what an interrupted create has made, of a resource that has another name now.
    const same = await addTwin("0 9 * * 1-5");
    const killed = afterKill(subject.context("weekly"), made.inputs, made.inputs);
    await cronLifecycle.read(made.id, made.outs, killed);
    expect(subject.said.join()).to.contain(`cron ${same.cron_id} carries the mark`);
    expect(await subject.all()).to.have.length(3);
  });
});
