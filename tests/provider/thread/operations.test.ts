import { expect } from "chai";
import { threadLifecycle as lifecycle } from "../../../provider/thread/operations";
import { newProcessCache } from "../../../provider/resource/process-cache";
import { type Props, present, UNKNOWN } from "../../../provider/arguments/props";
import { problemText } from "../../../provider/arguments/problems";
import { AgentServer } from "pulumi-agentserver/sdk";
import { impatientClock } from "../../support/clock";
import { useAgentServer } from "../../local/agentserver/support";
import { always, json, useServers } from "../../support/http";
import { type Meddle, startRelay } from "../../support/relay";
import { aClock, aDeployment } from "../../support/builders";
import { afterKill, contextOf } from "../../support/lifecycle";
import { initializationFailure, reasonOf, rejection } from "../../support/rejection";

/** Settings that lead nowhere: plain HTTP is refused. */
const NOWHERE = { url: "http://control.example.com", apiKey: "key", workspaceId: "nobody" };
const SUPERSTEPS = [
  { updates: [{ asNode: "__start__", values: { messages: [{ type: "human", content: "hi" }] } }] },
  { updates: [{ asNode: "agent", values: { messages: [{ type: "ai", content: "hello" }] } }] },
];

const step = (content: string) => ({
  updates: [{ asNode: "agent", values: { messages: [{ type: "ai", content }] } }],
});

describe("a thread's life on an agent server", () => {
  const server = useAgentServer({ graphs: ["agent"] });
  const serve = useServers();
  let said: string[] = [];
  beforeEach(() => (said = []));

  const url = () => `http://127.0.0.1:${server.port()}`;
  const threads = () => new AgentServer({ url: url() }).threads;
  const context = () => ({ ...contextOf(NOWHERE, said), clock: impatientClock() });
  const args = (more: Props = {}): Props => ({
    deploymentUrl: url(),
    graphId: "agent",
    metadata: { team: "a" },
    supersteps: SUPERSTEPS,
    ...more,
  });
  const create = (more?: Props, using = context()) => lifecycle.create(args(more), using);
  const standIn = async (...of: Parameters<typeof serve>) => (await serve(...of)).url;

  it("begins with its supersteps, and the outputs show its state", async () => {
    const { id, outs } = await create();
    const state = await threads().state(id);
    expect(outs).to.deep.include({ threadId: id, status: "idle" });
    expect(outs["checkpointId"]).to.equal(state.checkpoint_id);
    const { metadata, updated_at } = await threads().get(id);
    expect(outs["updatedAt"]).to.equal(updated_at);
    expect(metadata).to.deep.include({ team: "a", graph_id: "agent" });
    expect(Object.keys(metadata)).to.have.members(["team", "graph_id", "pulumi_digest"]);
  });

  it("is created though a late replica does not show its state yet", async () => {
    let isLate = true;
    const late: Meddle = (request, response, pass) => {
      if (!request.url.endsWith("/history") || !isLate) return pass();
      isLate = false;
      return json(response, 404, { detail: "late" });
    };
    const { url: deploymentUrl } = await startRelay(url(), late, serve);
    const { outs } = await create({ deploymentUrl });
    expect(isLate).to.equal(false);
    expect(outs).to.include({ status: "idle" });
  });

  it("fails at once where the server says that it will never answer", async () => {
    let requests = 0;
    const deploymentUrl = await standIn((_, response) => {
      requests += 1;
      json(response, 501, { detail: "the simulated driver runs no agent servers" });
    });
    const clock = aClock();
    const failure = rejection(create({ deploymentUrl }, { ...context(), clock }));
    expect((await failure).message).to.contain("501 the simulated driver runs no agent servers");
    expect([requests, clock.pauses]).to.deep.equal([1, []]);
  });

  it("has the server's configuration and time of change as outputs, of now after a read and an update", async () => {
    const { id, outs } = await create();
    expect(outs["config"]).to.deep.equal({});
    const real = await threads().get(id);
    const config = { configurable: { user: "ada" } };
    const later = "2030-01-01T00:00:00.000Z";
    const deploymentUrl = await standIn(({ method, url: path }, response) => {
      if (path.endsWith("/state")) return json(response, 200, {});
      const metadata = { ...real.metadata, ...(method === "PATCH" && { team: "b" }) };
      json(response, 200, { ...real, metadata, config, updated_at: later });
    });
    const olds = { ...outs, deploymentUrl };
    const { props } = await lifecycle.read(id, olds, context());
    expect(props).to.deep.include({ config, updatedAt: later });
    const changed = args({ deploymentUrl, metadata: { team: "b" } });
    const updated = await lifecycle.update(id, olds, changed, context());
    expect(updated.outs).to.deep.include({ config, updatedAt: later });
    const keyed = args({ deploymentUrl, apiKey: "new" });
    const kept = await lifecycle.update(id, props ?? {}, keyed, context());
    expect(kept.outs).to.deep.include({ config, updatedAt: later });
  });

  it("keeps nothing of what people say in it: a state holds identifiers, not conversations", async () => {
    const { id, outs } = await create();
    await threads().updateState(id, { values: { secret: "what Ada said" } });
    const { props = {}, inputs } = await lifecycle.read(id, outs, context());
    expect(props).to.have.all.keys(Object.keys(outs));
    expect(JSON.stringify({ props, inputs })).not.to.contain("what Ada said");
    const changed = await lifecycle.update(id, props, args({ metadata: {} }), context());
    expect(JSON.stringify(changed)).not.to.contain("what Ada said");
  });

  it("begins with a copy's history, which goes its own way, and its own metadata", async () => {
    const { id: source } = await create();
    const { id, outs } = await create({ copyFrom: source, supersteps: undefined });
    expect(id).not.to.equal(source);
    expect(await threads().history(id, { limit: 9 })).to.have.length(2);
    expect(outs["checkpointId"]).to.equal((await threads().state(id)).checkpoint_id);
    const nowhere = "11111111-1111-4111-8111-111111111111";
    const failure = rejection(create({ copyFrom: nowhere, supersteps: undefined }));
    expect((await failure).message).to.equal(
      `copy thread '${nowhere}': it does not exist at ${url()}; copyFrom must name a thread on the same agent server`,
    );
  });

  it("is refused before a replacement deletes anything where its new source does not exist", async () => {
    const { id: source } = await create();
    const copyFrom = "11111111-1111-4111-8111-111111111111";
    const problems = async (olds: Props, news: Props) => {
      const given = { deploymentUrl: url(), ...news };
      return (await lifecycle.check(olds, given, context())).failures?.map(problemText) ?? [];
    };
    const reason = `copyFrom does not exist at ${url()}; name a thread on the same agent server`;
    expect(await problems({}, { copyFrom })).to.deep.equal([reason]);
    expect(await problems({ deploymentUrl: url(), copyFrom: source }, { copyFrom })).to.have.length(
      1,
    );
    expect(await problems({}, { copyFrom: source })).to.deep.equal([]);
    expect(await problems({ deploymentUrl: url(), copyFrom }, { copyFrom })).to.deep.equal([]);
    const deploymentUrl = await standIn((_, response) =>
      json(response, 404, { detail: "no route" }),
    );
    expect(await problems({}, { deploymentUrl, copyFrom })).to.deep.equal([]);
  });

  it("is refused before a replacement deletes anything where the server does not have its new graph", async () => {
    const agnet = args({ graphId: "agnet" });
    const { failures } = await lifecycle.check(args(), agnet, context());
    expect(failures?.map(problemText).join()).to.match(/^graphId is refused .* 'agnet' not found;/);
    expect((await lifecycle.check({}, agnet, context())).failures).to.be.empty;
  });

  it("names what is wrong with inputs that no check has seen, and creates nothing", async () => {
    const { message } = await rejection(create({ copyFrom: "first", supersteps: undefined }));
    expect(message).to.equal("create thread: copyFrom: must be a UUID");
    expect(await threads().count()).to.equal(0);
  });

  describe("that an interrupted create of the state made", () => {
    /** A create after one of the same resource whose command was killed. */
    const again = async (more: Props = {}, former: Props = {}) =>
      lifecycle.create(args(more), afterKill(context(), args(more), args(former)));
    const ids = async () => (await threads().search()).map(({ thread_id }) => thread_id);

    it("is adopted, whatever the order of members, and a warning says how to clear that create", async () => {
      const of = (update: object) => ({ supersteps: [{ updates: [update] }] });
      const { id } = await create(of({ asNode: "agent", values: { a: 1, b: 2 } }));
      const same = of({ values: { b: 2, a: 1 }, asNode: "agent" });
      expect((await again(same, same)).id).to.equal(id);
      // The state does not show what the program has marked as secret.
      expect((await again(same, { supersteps: UNKNOWN })).id).to.equal(id);
      expect(said.join()).to.contain(
        `adopted thread ${id}, which an interrupted create of this resource made; the state still records that create`,
      );
      expect(await ids()).to.deep.equal([id]);
      // One on another agent server has made nothing here.
      const { id: other } = await again(same, { ...same, deploymentUrl: "http://127.0.0.1:9" });
      expect(await ids()).to.have.members([id, other]);
    });

    for (const [what, more] of [
      ["supersteps", { supersteps: [{ updates: [{ asNode: "agent", values: { a: 1 } }] }] }],
      ["as many other supersteps", { supersteps: [step("Not this one."), step("Nor this.")] }],
      ["metadata", { metadata: { team: "b" } }],
    ] as const)
      it(`is replaced where its ${what} changed in the program since, and a warning says so`, async () => {
        const { id } = await create();
        await again(more);
        expect(said.join()).to.contain(`deletes thread ${id}`);
        expect(await ids()).to.deep.equal([id]);
        const expected = { graph_id: "agent", team: what === "metadata" ? "b" : "a" };
        expect((await threads().get(id)).metadata).to.deep.include(expected);
      });

    for (const [what, talk] of Object.entries({
      "people wrote to it": (id: string) => threads().updateState(id, { values: { a: 1 } }),
      "its metadata differs": (id: string) => threads().update(id, { metadata: { team: "c" } }),
      "it lacks the mark of a create": async (id: string) => {
        await threads().delete(id);
        await threads().create({ thread_id: id, metadata: { team: "a", graph_id: "agent" } });
      },
    }))
      it(`stays where ${what}: another id is taken, and a warning names it`, async () => {
        const { id } = await create();
        await talk(id);
        const before = await threads().state(id);
        const made = await again({ supersteps: [step("Not this one.")] });
        expect(await ids()).to.have.members([id, made.id]);
        expect(await threads().state(id)).to.deep.equal(before);
        expect(said.join()).to.contain(
          `keeps thread ${id} at ${url()}, which has an id of this resource and is not what its interrupted create has written; another id is taken`,
        );
      });
  });

  it("is found under the id of a replacement too, though its first id is free again", async () => {
    const { id: before, outs } = await create();
    const replacing = context();
    await lifecycle.delete(before, outs, replacing);
    const { id } = await create({}, replacing);
    expect(id).not.to.equal(before);
    const made = await lifecycle.create(
      args(),
      afterKill({ ...context(), processCache: newProcessCache() }, args(), args()),
    );
    expect(made.id).to.equal(id);
    expect(await threads().count()).to.equal(1);
  });

  it("is gone where another create has taken its id: neither read, nor changed, nor deleted", async () => {
    const { id, outs } = await create();
    const olds = { ...outs, createdAt: "2026-01-01T00:00:00.000Z" };
    expect(await lifecycle.read(id, olds, context())).to.deep.equal({ id: "", props: {} });
    expect(said.splice(0).join()).to.contain(`keeps thread ${id}: its own was deleted, and`);
    const news = args({ metadata: { team: "b" } });
    const error = await rejection(lifecycle.update(id, olds, news, context()));
    expect(error.message).to.contain(`${id} no longer exists; run \`pulumi refresh\``);
    expect((await threads().get(id)).metadata).to.include({ team: "a" });
    await lifecycle.delete(id, olds, context());
    expect(said.join()).to.contain(`keeps thread ${id}: its own was deleted, and another create`);
    expect(await threads().count()).to.equal(1);
    await lifecycle.delete(id, outs, context());
    expect(await threads().count()).to.equal(0);
  });

  it("leaves a thread that has its id and that the state does not know, equal or not, and takes another of ten", async () => {
    const fresh = () => ({ ...context(), processCache: newProcessCache() });
    const { id } = await create({}, fresh());
    const readState = () => Promise.reject(new Error("no backend"));
    const ids = new Set([id, (await create({}, { ...fresh(), readState })).id]);
    for (const team of "abcdefgh") ids.add((await create({ metadata: { team } }, fresh())).id);
    expect(ids).to.have.length(10);
    expect(await threads().count()).to.equal(10);
    const kept = `keeps thread ${id} at ${url()}, which has an id of this resource and`;
    expect(said.slice(0, 2)).to.deep.equal([
      `${kept} may be of an interrupted create, since the state of this stack could not be read (no backend); another id is taken`,
      `${kept} is not known to the state of this stack; another id is taken`,
    ]);
    expect(await reasonOf(create({}, fresh()))).to.equal(
      `create thread: the agent server at ${url()} has threads of others under all 10 ids that this resource can have`,
    );
  });

  it("gets another id than what it takes the place of, which the engine may delete afterwards", async () => {
    const { id: before, outs } = await create();
    await lifecycle.delete(before, outs, context());
    // The create after that failed, and the program went back: the engine asks as if the old one were there.
    const again = { ...context(), processCache: newProcessCache() };
    lifecycle.diff(before, outs, args(), again);
    const { id } = await create({}, again);
    await lifecycle.delete(before, outs, again);
    expect(id).not.to.equal(before);
    expect((await threads().search()).map(({ thread_id }) => thread_id)).to.deep.equal([id]);
  });

  it("sends changed metadata in place, sets what is given up to null, and sends nothing else", async () => {
    const { id, outs } = await create({ metadata: { team: "a", tier: 1 } });
    const news = args({ metadata: { team: "b" } });
    const { outs: updated } = await lifecycle.update(id, outs, news, context());
    expect(updated["metadata"]).to.deep.equal({ team: "b" });
    const { pulumi_digest: _, ...metadata } = (await threads().get(id)).metadata;
    expect(metadata).to.deep.equal({ team: "b", tier: null, graph_id: "agent" });
    // The state is as before where the command was killed.
    const again = await lifecycle.update(id, outs, news, context());
    expect(again.outs["updatedAt"]).to.equal(updated["updatedAt"]);
  });

  it("takes no graph that a run has written for another declared one, and gives up a key of any name", async () => {
    const { id, outs } = await create({ metadata: { constructor: "a" } });
    await threads().update(id, { metadata: { graph_id: "other" } });
    const { inputs } = await lifecycle.read(id, outs, context());
    expect(inputs).to.include({ graphId: "agent" });
    await lifecycle.update(id, outs, args({ metadata: {} }), context());
    const { metadata } = await threads().get(id);
    expect(Object.entries(metadata)).to.deep.include(["constructor", null]);
  });

  it("keeps the server's own value of metadata that a program ignores", async () => {
    const { id, outs } = await create({ metadata: { team: "a", owner: "ada", gone: 1 } });
    await threads().update(id, { metadata: { owner: "bob", gone: null } });
    const metadata = { team: "b", owner: "ada", gone: 1 };
    const news = args({ metadata, __ignored: ["metadata.owner", "metadata.gone"] });
    await lifecycle.update(id, outs, news, context());
    expect((await threads().get(id)).metadata).to.include({ team: "b", owner: "bob", gone: null });
    // A copy whose create has failed before it sent them.
    const { checkpointId: _, ...half } = outs;
    await lifecycle.update(id, half, news, context());
    expect((await threads().get(id)).metadata).to.include(metadata);
  });

  it("keeps its checkpoint, with a warning, where its graph is not in the running revision, and takes new metadata", async () => {
    const { id, outs } = await create();
    const detail = "Graph 'agent' not found";
    const without: Meddle = ({ url: path }, response, pass) =>
      path.endsWith("/state") ? json(response, 404, { detail }) : pass();
    const deploymentUrl = (await startRelay(url(), without, serve)).url;
    const olds: Props = { ...outs, deploymentUrl };
    const { props = {} } = await lifecycle.read(id, olds, context());
    expect(props).to.deep.equal(olds);
    expect(said).to.deep.equal([
      `keeps the recorded checkpointId: get state of thread '${id}': 404 ${detail}; deploy a revision with that graph`,
    ]);
    const news = args({ deploymentUrl, metadata: { team: "b" } });
    const { outs: updated } = await lifecycle.update(id, props, news, context());
    expect(updated).to.include({ checkpointId: outs["checkpointId"] });
    expect((await threads().get(id)).metadata).to.include({ team: "b" });
    const { checkpointId: _, ...unfinished } = props;
    const { message } = await rejection(lifecycle.read(id, unfinished, context()));
    expect(message).to.contain(detail);
  });

  for (const [what, refusing] of Object.entries<Meddle>({
    "could not be read after that": ({ url: path }, response, pass) =>
      path.endsWith("/state") ? json(response, 401, { detail: "expired" }) : pass(),
    "had no response": async ({ method, url: path, body }, response, pass) => {
      if (method !== "PATCH") return pass();
      await fetch(`${url()}${path}`, {
        method,
        body,
        headers: { "content-type": "application/json" },
      });
      return response.destroy();
    },
  }))
    it(`is brought back by a program that goes back where its change ${what}`, async () => {
      for (const changed of [{ label: 2 }, { label: 2, added: true }]) {
        const { id, outs } = await create({ metadata: { label: 0 } });
        const deploymentUrl = (await startRelay(url(), refusing, serve)).url;
        const news = args({ deploymentUrl, metadata: changed });
        const olds: Props = { ...outs, deploymentUrl };
        const failed = await initializationFailure(lifecycle.update(id, olds, news, context()));
        expect(failed.message).to.contain("the next `pulumi up` compares all that is declared");
        expect((await threads().get(id)).metadata).to.include(changed);
        const back = args({ metadata: { label: 0 } });
        const kept = { ...failed.properties, deploymentUrl: url() };
        await lifecycle.update(id, kept, back, context());
        const { metadata } = await threads().get(id);
        expect(metadata).to.include({ label: 0 });
        expect(metadata["added"] ?? null).to.equal(null);
        await lifecycle.update(id, kept, args({ metadata: changed }), context());
        expect((await threads().get(id)).metadata).to.include(changed);
      }
    });

  it("changes nothing when its key changes or is given up, also where nothing answers", async () => {
    const { id, outs } = await create({ apiKey: "old" });
    const silent = await serve((_request, response) => response.destroy());
    for (const more of [{ apiKey: "new" }, {}]) {
      const news = args({ deploymentUrl: silent.url, ...more });
      const olds: Props = { ...outs, deploymentUrl: silent.url };
      const { outs: updated } = await lifecycle.update(id, olds, news, context());
      expect(updated).to.deep.equal({ ...olds, apiKey: null, ...more });
    }
    expect(silent.received.filter(({ method }) => method !== "GET")).to.be.empty;
  });

  /** A server whose threads only some keys show. */
  const withUsers = async (answers: Readonly<Record<string, number>>) => {
    const refusing: Meddle = ({ method, headers }, response, pass) => {
      const status = answers[String(headers["x-api-key"])];
      return method !== "GET" || status === undefined
        ? pass()
        : json(response, status, { detail: "no" });
    };
    return (await startRelay(url(), refusing, serve)).url;
  };

  for (const [what, answers, isRefused] of [
    ["that shows it no more, where the former one does", { new: 404 }, true],
    ["that shows as little as the former one", { new: 404, old: 404 }, false],
    ["that is not accepted yet", { new: 401 }, false],
    ["that replaces a revoked one", { old: 401 }, false],
  ] as const)
    it(`${isRefused ? "refuses" : "takes"} a key ${what}`, async () => {
      const deploymentUrl = await withUsers(answers);
      const { id, outs } = await create({ apiKey: "old" });
      const olds: Props = { ...outs, deploymentUrl };
      const updated = lifecycle.update(id, olds, args({ deploymentUrl, apiKey: "new" }), context());
      if (!isRefused) return void (await updated);
      expect(await reasonOf(updated)).to.equal(
        `update thread '${id}': the agent server shows it to the former apiKey and not to this one, which is another user's; set the apiKey of the user who created it`,
      );
    });

  it("says at a create that another user has its id", async () => {
    await create({ apiKey: "old" });
    const deploymentUrl = await withUsers({ new: 404 });
    expect(await reasonOf(create({ deploymentUrl, apiKey: "new" }))).to.match(
      /: 409 .+; another user of the agent server has it, since this apiKey does not show it; set the apiKey of that user, or delete it as that user/,
    );
  });

  it("shows drift of the declared metadata, and none of what others added or said", async () => {
    const { id, outs } = await create();
    await threads().update(id, { metadata: { team: "b", theirs: true } });
    await threads().updateState(id, { values: { mood: "eager" } });
    const { checkpoint_id } = await threads().state(id);
    const { inputs, props } = await lifecycle.read(id, outs, context());
    expect(inputs).to.deep.equal(args({ metadata: { team: "b" } }));
    expect(props).to.include({ checkpointId: checkpoint_id });
  });

  it("is imported by its URL, with its graph and what runs have not set of its metadata", async () => {
    const { id, outs } = await create();
    const ofRun = { thread_id: id, assistant_id: "a", run_id: "r" };
    const { updated_at: updatedAt } = await threads().update(id, { metadata: ofRun });
    const read = (at: string, olds: Props) => lifecycle.read(at, olds, context());
    const declared = args({ supersteps: undefined, apiKey: "key" });
    expect(await read(`${url()}/threads/${id}/`, { apiKey: "key", metadata: null })).to.deep.equal({
      id,
      inputs: present(declared),
      props: { ...outs, ...declared, supersteps: null, updatedAt },
    });
    // A `get` names the server beside the id.
    expect((await read(id, { deploymentUrl: url() })).props).to.include({ graphId: "agent" });
    const { thread_id: bare } = await threads().create({});
    const { inputs } = await read(`${url()}/threads/${bare}`, {});
    expect(inputs).to.deep.equal({ deploymentUrl: url() });
    for (const at of [id, `a ${url()}/threads/${id}`, `${url()}/threads/${id}?limit=1`])
      expect(await reasonOf(read(at, {}))).to.equal(
        `get thread '${at}': the id alone does not say on which agent server the thread is; import it by its URL, https://<deployment's url>/threads/${at}; a program reads it with Thread.get, or declares a Thread with copyFrom, which is a copy of it`,
      );
  });

  it("is not imported by a URL that cannot be used, whose password no message repeats", async () => {
    const id = "5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f";
    const at = `https://user:CANARY@support.example.com/threads/${id}`;
    expect(await reasonOf(lifecycle.read(at, {}, context()))).to.equal(
      `get thread '${id}': the URL of its agent server contains a user name or password`,
    );
  });

  it("is imported with the key that its program gives, or else the environment's", async () => {
    const keys: unknown[] = [];
    const deploymentUrl = await standIn(({ headers }, response) => {
      keys.push(headers["x-api-key"]);
      json(response, 401, { detail: "no" });
    });
    const name = "AGENTSERVER_AGENT_API_KEY";
    process.env[name] = "environment's";
    for (const olds of [{ apiKey: "program's" }, {}])
      await rejection(lifecycle.read(`${deploymentUrl}/threads/1`, olds, context()));
    delete process.env[name];
    expect(keys).to.deep.equal(["program's", "environment's"]);
  });

  it("has outputs that a preview knows where the update surely leaves them", async () => {
    const { outs } = await create();
    const unknown = (more: Props, olds: Props = outs) =>
      Object.entries(lifecycle.preview(args(more), olds))
        .filter(([, value]) => value === UNKNOWN)
        .map(([name]) => name);
    const { checkpointId: _, ...incomplete } = outs;
    expect(unknown({ apiKey: "key" })).to.deep.equal([]);
    expect(unknown({ metadata: {} })).to.deep.equal(["updatedAt"]);
    const names = "status config createdAt updatedAt checkpointId";
    expect(unknown({}, incomplete)).to.have.members(names.split(" "));
  });

  it("stays where no deletion is offered, and a warning says so", async () => {
    const { id, outs } = await create();
    const refusing = await standIn(always(405, { detail: "no" }));
    await lifecycle.delete(id, { ...outs, deploymentUrl: refusing }, context());
    expect(said).to.deep.equal([
      `thread ${id} was not deleted: the agent server at ${refusing} does not offer a deletion; the thread stays there`,
    ]);
  });

  it("keeps the id of a copy that could not be given its metadata", async () => {
    const { id: source } = await create();
    const copied = "22222222-2222-4222-8222-222222222222";
    const original = await threads().get(source);
    const half = await standIn(({ method, url: path }, response) => {
      if (method === "PATCH") return json(response, 500, { detail: "no" });
      if (path.endsWith("/search")) return json(response, 200, []);
      json(response, 200, { ...original, ...(!path.endsWith(source) && { thread_id: copied }) });
    });
    const changes = { supersteps: undefined, metadata: { team: "b" } };
    const inputs = { copyFrom: source, deploymentUrl: half, ...changes };
    const { id, message, properties } = await initializationFailure(create(inputs));
    expect(id).to.equal(copied);
    expect(message).to.contain("it creates no second thread");

    const again = lifecycle.update(copied, properties, args({ ...inputs, apiKey: "k" }), context());
    expect(await reasonOf(again)).to.contain("update thread");
  });

  it("waits a minute for a server that does not answer yet, then says what to look at", async () => {
    const starting = await standIn(always(503, { detail: "it is starting" }));
    const patient = { ...context(), clock: aClock() };
    const inputs = args({ deploymentUrl: starting });
    expect(await reasonOf(lifecycle.create(inputs, patient)))
      .to.contain(`timed out after 60 s: the agent server at ${starting} does not respond`)
      .and.contain("it is starting")
      .and.contain("check that its deployment is ready");
    expect(said[0]).to.match(/^503 it is starting for \d+ s; still trying$/);
    expect(said, "signs of life").to.have.length.within(2, 5);
  });

  describe("whose gateway still answers", () => {
    const asked: string[] = [];
    beforeEach(() => void asked.splice(0));
    const controlPlane = async (deployments: object[]) => {
      const address = await standIn((request, response) => {
        asked.push(request.url);
        const [deployment] = deployments;
        if (!request.url?.startsWith("/v2/deployments/"))
          json(response, 200, { resources: deployments, offset: 9 });
        else json(response, deployment ? 200 : 404, deployment ?? { detail: "not found" });
      });
      const workspaceId = aDeployment().tenant_id;
      return { ...contextOf({ ...NOWHERE, url: address, workspaceId }, said), clock: aClock() };
    };
    /** A thread at an agent server, and what the state has of it when only a gateway is left. */
    const made = async (deployments: object[], deploymentId?: string) => {
      const known = await controlPlane(deployments);
      const { id, outs } = await create({ deploymentId }, known);
      const deploymentUrl = await standIn(always(502, { detail: "gone" }));
      return { id, outs, known, left: (state: Props) => ({ ...state, deploymentUrl }) };
    };
    const own = () => aDeployment({ url: `${url()}/` });
    const { id: deploymentId } = aDeployment();

    it("is gone when the deployment is gone that the server was of, also after a change and a refresh", async () => {
      const deployments = [own()];
      const { id, outs, known, left } = await made(deployments, deploymentId);
      const news = args({ metadata: { team: "b" }, deploymentId });
      const changed = await lifecycle.update(id, outs, news, known);
      const { props = {} } = await lifecycle.read(id, changed.outs, known);
      deployments.pop();
      await lifecycle.delete(id, left(props), known);
      expect(said.join()).to.contain("no longer exists");
      expect(await lifecycle.read(id, left(props), known)).to.deep.equal({ id: "", props: {} });
    });

    it("keeps its deployment also after a create that failed half-way, and learns it from an update", async () => {
      const deployments = new Array<object>();
      const known = await controlPlane(deployments);
      let fails = true;
      const front = await standIn(async ({ method, url: path, body }, response) => {
        if (fails && path.endsWith("/state")) return json(response, 500, { detail: "no" });
        const { status, body: answer } = await server.send(method, path, body || undefined);
        return json(response, status, answer);
      });
      const deployment = aDeployment({ url: front });
      const inputs = args({ deploymentUrl: front, deploymentId, supersteps: undefined });
      const { id, tenant_id: tenantId } = deployment;
      const expected = { id, tenantId, baseUrl: known.settings().baseUrl };

      const { deploymentId: _id, ...unnamed } = inputs;
      const unknown = await initializationFailure(lifecycle.create(unnamed, known));
      expect(unknown.properties).not.to.have.property("__deployment");
      deployments.push(deployment);
      const failed = await initializationFailure(lifecycle.create(inputs, known));
      expect(failed.properties["__deployment"]).to.deep.equal(expected);

      fails = false;
      const update = async (olds: Props, news: Props) =>
        (await lifecycle.update(unknown.id, olds, news, known)).outs;
      const healed = await update(unknown.properties, inputs);
      expect(healed["__deployment"]).to.deep.equal(expected);
      const { __deployment: _, ...forgetful } = healed;
      const keyed = await update(forgetful, { ...inputs, apiKey: "new" });
      expect(keyed["__deployment"]).to.deep.equal(expected);
      deployments.pop();
      expect((await update(keyed, inputs))["__deployment"]).to.deep.equal(expected);
      const elsewhere = await controlPlane([]);
      const { outs: kept } = await lifecycle.update(unknown.id, keyed, inputs, elsewhere);
      expect(kept["__deployment"]).to.deep.equal(expected);
      const moved = await update(keyed, { ...inputs, deploymentId: "other" });
      expect(moved["__deployment"]).to.deep.equal({ ...expected, id: "other" });
    });

    it("is kept in the state while the deployment is there, when that cannot be determined, and when the server was of none: it may have an outage", async () => {
      const { id, outs, known, left } = await made([own()], deploymentId);
      const elsewhere = await controlPlane([]);
      const unsettled = { ...contextOf(NOWHERE), clock: aClock() };
      const others = [aDeployment({ url: "https://other.example.com" })];
      const [gone, none] = [await made(others), await made([])];
      others.pop();
      for (const { id: kept, props, asking } of [
        { id, props: left(outs), asking: known },
        { id, props: left(outs), asking: elsewhere },
        { id, props: left(outs), asking: unsettled },
        { id: gone.id, props: gone.left(gone.outs), asking: gone.known },
        { id: none.id, props: none.left(none.outs), asking: none.known },
      ])
        for (const operation of ["delete", "read"] as const)
          expect(await reasonOf(lifecycle[operation](kept, props, asking))).to.contain("502");
    });
  });
});
