import { expect } from "chai";
import { AgentServer } from "pulumi-agentserver/sdk";
import type { Props } from "../../../provider/arguments/props";
import { threadLifecycle as lifecycle } from "../../../provider/thread/operations";
import type { StackState } from "../../../provider/resource/stack-state";
import { json, startServer, type TestServer } from "../../support/http";
import { URN } from "../../support/inputs";
import { contextOf } from "../../support/lifecycle";
import { initializationFailure, reasonOf, rejection } from "../../support/rejection";

const NOWHERE = { url: "http://127.0.0.1:9", apiKey: "key", workspaceId: "nobody" };
const say = (type: string, content: string) => ({ values: { messages: [{ type, content }] } });
const SUPERSTEPS = [
  { updates: [{ asNode: "__start__", ...say("human", "hi") }] },
  { updates: [{ asNode: "agent", ...say("ai", "hello") }] },
];

/** The refusal of supersteps by a real server, and the number of them that it applied before. */
interface Refusal {
  readonly status: number;
  readonly detail: string;
  readonly applied: number;
  /** Whether the thread's graph is one that the server does not have: it has no states then. */
  readonly unknownGraph?: boolean;
}

const NO_GRAPH = { applied: 0, unknownGraph: true };
const REFUSALS: Readonly<Record<string, Refusal>> = {
  "Python, no graph": { status: 201, detail: "was created, but: no graph", applied: 0 },
  "Python, unknown graph": { status: 201, detail: "was created, but: not found", ...NO_GRAPH },
  "Python, unknown node": { status: 400, detail: "Node agent does not exist", applied: 1 },
  "JavaScript, unknown graph": { status: 404, detail: 'Graph "agent" not found', ...NO_GRAPH },
  "JavaScript, unknown node": { status: 500, detail: "Internal Server Error", applied: 1 },
};

/** A server that creates a thread before it reads its supersteps, as both real ones do. */
class RealServer {
  readonly threads = new Map<string, { thread: Props; states: Props[] }>();
  refusal: Refusal | undefined;
  offersDeletion = true;
  losesAnswers = false;
  /** So many creates do not arrive. */
  losesCreates = 0;
  /** Nodes of which it keeps nothing, as the JavaScript server does of the input that a later superstep takes the place of. */
  forgets: readonly string[] = [];
  /** The nodes of its graph, where it describes that. */
  nodes: readonly string[] | undefined;
  /** So many reads of a thread find nothing, as before it was created. */
  hiddenLooks = 0;

  readonly start = () =>
    startServer(({ method, url, body }, response) => {
      const [, , id = "", what] = url.split("/");
      const found = this.threads.get(id);
      if (url === "/threads" && this.losesCreates-- > 0) return void response.destroy();
      if (url === "/threads") return this.#create(JSON.parse(body), response);
      if (url === "/threads/search") return json(response, 200, []);
      if (url === "/assistants/agent/graph" && this.nodes !== undefined)
        return json(response, 200, { nodes: this.nodes.map((node) => ({ id: node })), edges: [] });
      const isHidden = method === "GET" && what === undefined && this.hiddenLooks-- > 0;
      if (found === undefined || isHidden) return json(response, 404, { detail: "no such thread" });
      if (method === "DELETE" && !this.offersDeletion) return json(response, 405, {});
      if (method === "DELETE") return json(response, this.threads.delete(id) ? 204 : 404, null);
      if (what === undefined) return json(response, 200, found.thread);
      if (this.refusal?.unknownGraph) return json(response, 404, { detail: "Graph not found" });
      const { states } = found;
      json(response, 200, what === "history" ? states.toReversed() : (states.at(-1) ?? {}));
    });

  #create({ thread_id, metadata, supersteps = [] }: Props, response: Answer): void {
    const id = String(thread_id);
    const { status: refused = 409, detail = "is there already" } = this.refusal ?? {};
    if (this.threads.has(id)) return json(response, refused, { detail });
    const now = new Date().toISOString();
    const thread = { thread_id, metadata, status: "idle", created_at: now, updated_at: now };
    const applied = (Array.isArray(supersteps) ? supersteps : []).slice(0, this.refusal?.applied);
    const states = applied.map(({ updates }: Superstep, step) => ({
      values: { step, updates: updates.filter(({ as_node }) => !this.forgets.includes(as_node)) },
    }));
    this.threads.set(id, { thread, states });
    if (this.losesAnswers) return void response.destroy();
    if (this.refusal) return json(response, this.refusal.status, { detail: this.refusal.detail });
    json(response, 200, thread);
  }
}
type Answer = Parameters<typeof json>[0];
interface Superstep {
  readonly updates: readonly { readonly as_node: string }[];
}

describe("a thread that a server refuses to make", () => {
  let real: RealServer;
  let server: TestServer;
  let said: string[];
  beforeEach(async () => {
    said = [];
    real = new RealServer();
    server = await real.start();
  });
  afterEach(() => server.close());

  const up = (more: Props = {}, resources: StackState["resources"] = [], isAfterKill = false) => {
    const context = contextOf(NOWHERE, said);
    const clock = { ...context.clock, sleep: async () => undefined };
    const inputs = { deploymentUrl: server.url, graphId: "agent", supersteps: SUPERSTEPS, ...more };
    const creating = Array.from({ length: isAfterKill ? 2 : 1 }, () => ({ urn: URN, inputs }));
    const readState = async () => ({ resources, creating });
    return lifecycle.create(inputs, { ...context, clock, readState });
  };

  for (const [name, refusal] of Object.entries(REFUSALS))
    it(`fails with the server's words each time, and leaves nothing there that can be deleted: ${name}`, async () => {
      real.refusal = refusal;
      for (const count of [1, 2]) {
        const failure = await rejection(up());
        expect(failure.message, `up ${count}`).to.contain(refusal.detail);
        expect(
          failure.message.includes("supersteps are the reason"),
          "the reason of a 500",
        ).to.equal(refusal.status === 500);
        expect(failure.message).not.to.contain("try again later");
        expect(failure).not.to.have.property("id");
        expect(real.threads, `up ${count}`).to.be.empty;
      }
      real.offersDeletion = false;
      for (const _ of [1, 2]) expect(await reasonOf(up())).to.contain(refusal.detail);
    });

  for (const [nodes, reason] of [
    [["start", "chat"], "graph 'agent' does not have asNode agent; its nodes are start, chat"],
    [["agent"], "supersteps are the reason"],
  ] as const)
    it(`says of a 500 what the graph shows of the reason, where its nodes are ${nodes.join(", ")}`, async () => {
      real.refusal = { status: 500, detail: "Internal Server Error", applied: 0 };
      real.nodes = nodes;
      const ofEach = ["__input__", "__copy__", "__end__"];
      const updates = ofEach.map((asNode) => ({ asNode, ...say("human", "hi") }));
      const { message } = await rejection(up({ supersteps: [...SUPERSTEPS, { updates }] }));
      expect(message).to.contain("500 Internal Server Error").and.contain(reason);
    });

  it("fails and stays where the server has dropped what its supersteps declare, and the next run keeps it as it is", async () => {
    const input = { updates: [{ asNode: "__input__", ...say("human", "first of all") }] };
    const inputs = { supersteps: [input, ...SUPERSTEPS] };
    real.forgets = ["__input__"];
    const { id, properties, message } = await initializationFailure(up(inputs));
    expect(message)
      .to.contain("the agent server dropped what __input__ wrote in the thread's supersteps")
      .and.not.contain("first of all");
    expect([...real.threads.keys()]).to.deep.equal([id]);
    const { outs } = await lifecycle.update(id, properties, properties, contextOf(NOWHERE, said));
    expect(outs).to.have.property("checkpointId");
  });

  it("is compared with what was declared by each member, also one that its graph does not have", async () => {
    real.forgets = ["agent"];
    const updates = [{ asNode: "agent", values: { mood: "good" } }];
    const { message } = await rejection(up({ supersteps: [{ updates }] }));
    expect(message).to.contain("dropped what agent wrote");
  });

  it("may end in the input of the next run, which no state shows yet", async () => {
    real.forgets = ["__input__"];
    await up({ supersteps: [{ updates: [{ asNode: "__input__", ...say("human", "go on") }] }] });
    expect(real.threads).to.have.length(1);
  });

  it("is made beside a part that cannot be deleted", async () => {
    Object.assign(real, { refusal: REFUSALS["Python, no graph"], offersDeletion: false });
    await rejection(up());
    const [part] = real.threads.keys();
    real.refusal = undefined;
    const { id } = await up();
    expect([...real.threads.keys()]).to.deep.equal([part, id]);
    expect(real.threads.get(id)?.states).to.have.length(SUPERSTEPS.length);
  });

  it("is no part that could not be deleted at once: after a kill that is deleted, and the whole made", async () => {
    Object.assign(real, { refusal: REFUSALS["JavaScript, unknown node"], offersDeletion: false });
    await rejection(up());
    expect(real.threads).to.have.length(1);
    Object.assign(real, { refusal: undefined, offersDeletion: true });
    const { id } = await up({}, [], true);
    expect(said.join()).to.match(/deletes thread .* which has only a part/);
    expect([...real.threads.keys()]).to.deep.equal([id]);
    expect(real.threads.get(id)?.states).to.have.length(SUPERSTEPS.length);
  });

  it("is refused by words in a success as well when there are no supersteps", async () => {
    real.refusal = { status: 201, detail: "was created, but: no", applied: 0 };
    const inputs = { supersteps: undefined };
    for (const _ of [1, 2]) expect(await reasonOf(up(inputs))).to.contain("was created, but: no");
  });

  it("replaces what a create left that was cut off in the midst of its supersteps", async () => {
    real.refusal = { status: 200, detail: "", applied: 1 };
    real.losesAnswers = true;
    const failure = await initializationFailure(up());
    const [threadId = ""] = real.threads.keys();
    expect(failure.id).to.equal(`unconfirmed:${threadId}`);
    expect(failure.message).to.contain("it is there and not complete yet");
    Object.assign(real, { refusal: undefined, losesAnswers: false });
    const { id } = await up({}, [{ urn: URN, id: failure.id, inputs: failure.properties }]);
    const { values } = await new AgentServer({ url: server.url }).threads.state(id);
    expect(values).to.include({ step: 1 });
    expect(real.threads).to.have.length(1);
  });

  it("is deleted with the provisional id of a create that was cut off, unless a run has written to it", async () => {
    real.refusal = { status: 200, detail: "", applied: 1 };
    real.losesAnswers = true;
    const { id, properties } = await initializationFailure(up());
    real.refusal = undefined;
    const [created] = real.threads.values();
    for (const [status, left] of [
      ["busy", 1],
      ["idle", 0],
    ] as const) {
      Object.assign(created?.thread ?? {}, { status });
      await lifecycle.delete(id, properties, contextOf(NOWHERE, said));
      expect(real.threads).to.have.length(left);
    }
  });

  for (const [what, losses] of [
    ["its answer is lost", { losesAnswers: true }],
    ["its POST does not arrive at first", { losesCreates: 2 }],
  ] as const)
    it(`is created once, with the whole conversation, where ${what}`, async () => {
      Object.assign(real, losses);
      const { id } = await up();
      expect([...real.threads.keys()]).to.deep.equal([id]);
      expect(real.threads.get(id)?.states).to.have.length(SUPERSTEPS.length);
    });

  it("is created no second time by a create that has outlived its run, after which another has created it", async () => {
    const { id } = await up();
    real.hiddenLooks = 1;
    expect(await reasonOf(up({}, [{ urn: URN, id, inputs: {} }]))).to.equal(
      `create thread: another run of this stack has created ${id} meanwhile`,
    );
    expect(said).to.be.empty;
    expect(real.threads).to.have.length(1);
  });

  const LATER = "2099-01-01T00:00:00Z";
  for (const [what, others] of [
    ["what was there before it", { created_at: "2020-01-01T00:00:00Z" }],
    ["what another stack of its name has created since", { created_at: LATER, metadata: {} }],
  ] as const)
    it(`leaves ${what}, unseen, and is refused`, async () => {
      const { id } = await up();
      Object.assign(real.threads.get(id)?.thread ?? {}, others);
      real.refusal = { status: 403, detail: "not here", applied: 0 };
      real.hiddenLooks = 1;
      expect(await reasonOf(up())).to.contain("not here");
      expect([...real.threads.keys()]).to.deep.equal([id]);
    });

  it("takes another id where one of others has its own by the time of the create", async () => {
    const { id } = await up();
    expect(server.received).to.have.length(4);
    const other = `${URN}-other`;
    for (const [reason, resources] of [
      ["is not known to the state of this stack", []],
      [`is in the state as ${other}`, [{ urn: other, id, inputs: {} }]],
    ] as const) {
      real.hiddenLooks = 1;
      const made = await up({}, resources);
      expect(said.splice(0)).to.deep.equal([
        `keeps thread ${id} at ${server.url}, which has an id of this resource and ${reason}; another id is taken`,
      ]);
      expect([...real.threads.keys()]).to.deep.equal([id, made.id]);
      real.threads.delete(made.id);
    }
  });

  it("is refused where the state has it through the other front end", async () => {
    const { id } = await up();
    const native = URN.replace("pulumi-nodejs:dynamic/agentserver:", "agentserver:index:");
    const { message } = await rejection(up({}, [{ urn: native, id, inputs: {} }]));
    expect(message).to.contain(`set the option aliases: ["${native}"]`);
    expect([...real.threads.keys()]).to.deep.equal([id]);
  });

  it("leaves what a create cut off has made where the server does not have the graph, and so no states to compare", async () => {
    real.refusal = { status: 404, detail: "Graph not found", applied: 0, unknownGraph: true };
    real.losesAnswers = true;
    const failure = await initializationFailure(up());
    expect(failure.message).to.contain("it is there and not complete yet");
    real.losesAnswers = false;
    const again = up({}, [{ urn: URN, id: failure.id, inputs: failure.properties }]);
    expect(await reasonOf(again)).to.contain("Graph not found");
    expect(said.join()).to.contain("is not what its interrupted create has written");
    expect(real.threads).to.have.length(1);
  });

  it("is kept with the server's words when only its graph is not there", async () => {
    real.refusal = { status: 200, detail: "", applied: 0, unknownGraph: true };
    const inputs = { supersteps: undefined };
    real.losesAnswers = true;
    const failure = await rejection(up(inputs));
    const [id = ""] = real.threads.keys();
    expect(failure).to.have.property("id", id);
    expect(failure.message).to.contain("Graph not found");
    const props = { deploymentUrl: server.url, graphId: "agent", threadId: id };
    const read = lifecycle.read(id, props, contextOf(NOWHERE, said));
    expect(await reasonOf(read)).to.contain("Graph not found");
  });
});
