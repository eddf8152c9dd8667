import { expect } from "chai";
import { AgentServer } from "pulumi-agentserver/sdk";
import type { Props } from "../../../provider/arguments/props";
import { newProcessCache } from "../../../provider/resource/process-cache";
import { threadLifecycle as lifecycle } from "../../../provider/thread/operations";
import { useAgentServer } from "../../local/agentserver/support";
import { impatientClock } from "../../support/clock";
import type { TestServer } from "../../support/http";
import { URN } from "../../support/inputs";
import { afterKill, contextOf } from "../../support/lifecycle";
import { initializationFailure, rejection } from "../../support/rejection";
import { startRelay } from "../../support/relay";

const NOWHERE = { url: "http://127.0.0.1:9", apiKey: "key", workspaceId: "nobody" };
const MESSAGE = { type: "human", content: "Where is my order?" };

// The request for a copy takes neither an id nor a mark of the client.
describe("a copy of a thread whose response is lost", () => {
  const server = useAgentServer();
  let front: TestServer;
  let source: string;
  /** What happens in place of the copy, whose response is lost; undefined where nothing is. */
  let onCopy: ((make: () => Promise<unknown>) => unknown) | undefined;
  let isSilent: boolean;
  let clockAheadMs: number;
  /** What happens before the next search for it. */
  let beforeSearch: (() => Promise<unknown>)[];

  beforeEach(async () => {
    isSilent = false;
    clockAheadMs = 0;
    beforeSearch = [];
    front = await startRelay(
      `http://127.0.0.1:${server.port()}`,
      async ({ method, url }, response, pass) => {
        if (isSilent) return response.destroy();
        response.setHeader("date", new Date(Date.now() + clockAheadMs).toUTCString());
        if (url.endsWith("/search")) await beforeSearch.shift()?.();
        if (!url.endsWith("/copy") || onCopy === undefined) return pass();
        await onCopy(() => server.send(method, url, {}));
        return response.destroy();
      },
    );
    const supersteps = [{ updates: [{ as_node: "agent", values: { messages: [MESSAGE] } }] }];
    const body = { metadata: { graph_id: "agent", team: "a" }, supersteps };
    source = (await server.create(body)).thread_id;
  });
  afterEach(() => front.close());

  /** Behind the relay, which counts nothing of this and loses none of it. */
  const threads = () => new AgentServer({ url: `http://127.0.0.1:${server.port()}` }).threads;
  const inputs = (): Props => ({ deploymentUrl: front.url, copyFrom: source });
  const context = () => ({
    ...contextOf(NOWHERE),
    clock: impatientClock(),
    processCache: newProcessCache(),
  });
  const copies = async () =>
    (await threads().search()).map(({ thread_id }) => thread_id).filter((id) => id !== source);
  /** The next run over what a failed one has left in the state. */
  const upAgain = async ({ id, properties }: { id: string; properties: Props }, more = {}) => {
    const next = context();
    const news = { ...inputs(), ...more };
    await lifecycle.check(properties, news, next);
    lifecycle.diff(id, properties, news, next);
    await lifecycle.delete(id, properties, next);
    return lifecycle.create(news, next);
  };

  it("is found, marked, and the only one", async () => {
    onCopy = (make) => make();
    const { id, outs } = await lifecycle.create(inputs(), context());
    expect(await copies()).to.deep.equal([id]);
    expect((await threads().get(id)).metadata).to.have.property("pulumi_digest");
    expect(outs["checkpointId"]).to.equal((await threads().state(source)).checkpoint_id);
  });

  it("is not made beside the one that the state has through the other front end", async () => {
    onCopy = undefined;
    const { id } = await lifecycle.create(inputs(), context());
    const native = URN.replace("pulumi-nodejs:dynamic/agentserver:", "agentserver:index:");
    const resources = [{ urn: native, id, inputs: inputs() }];
    const readState = async () => ({ resources, creating: [] });
    const { message } = await rejection(lifecycle.create(inputs(), { ...context(), readState }));
    expect(message).to.contain(`set the option aliases: ["${native}"]`);
    expect(await copies()).to.deep.equal([id]);
  });

  it("is found where it comes long after", async () => {
    onCopy = (make) => (beforeSearch = [...Array(5).fill(async () => {}), make]);
    const { id } = await lifecycle.create(inputs(), context());
    expect(await copies()).to.deep.equal([id]);
  });

  for (const [when, wasMade] of [
    ["is found by the next run where the server was silent meanwhile", true],
    ["is made by the next run where the request never arrived", false],
  ] as const)
    it(`${when}, and there is one`, async () => {
      onCopy = async (make) => {
        if (wasMade) await make();
        isSilent = wasMade;
      };
      const failure = await initializationFailure(lifecycle.create(inputs(), context()));
      expect(failure.id).to.match(new RegExp(`^unconfirmed:copy of thread ${source} since \\S+Z$`));
      expect(failure.message).to.contain("no request could confirm that");
      isSilent = false;
      let again = 0;
      onCopy = (make) => {
        again += 1;
        return make();
      };
      const { id } = await upAgain(failure);
      expect(await copies()).to.deep.equal([id]);
      expect(again).to.equal(wasMade ? 0 : 1);
    });

  it("is deleted by a destroy that comes before another run", async () => {
    onCopy = async (make) => {
      await make();
      isSilent = true;
    };
    const { id, properties } = await initializationFailure(lifecycle.create(inputs(), context()));
    isSilent = false;
    expect(await copies()).to.have.length(1);
    await lifecycle.delete(id, properties, context());
    expect(await copies()).to.be.empty;
    await threads().delete(source);
    const { message } = await rejection(lifecycle.delete(id, properties, context()));
    expect(message).to.contain(`its source ${source}, by which the copy is known, is gone`);
  });

  it("stays where the run is killed before the state has it, marked or not, and the next run makes another", async () => {
    onCopy = undefined;
    const { id: marked } = await lifecycle.create(inputs(), context());
    const unmarked = (await threads().copy(source)).thread_id;
    const { id } = await lifecycle.create(inputs(), afterKill(context(), inputs(), inputs()));
    expect(await copies()).to.have.members([marked, unmarked, id]);
    const marks = [marked, unmarked, id].map(async (copy) => (await threads().get(copy)).metadata);
    const [first, none, last] = (await Promise.all(marks)).map((of) => of["pulumi_digest"]);
    expect([none, last]).to.deep.equal([undefined, first]);
  });

  describe("is not another's that comes at the same time:", () => {
    const another = async () => (await threads().copy(source)).thread_id;
    for (const [what, make] of Object.entries({
      "what another program has marked": async () =>
        threads().update(await another(), { metadata: { pulumi_digest: "other" } }),
      "what people have written to": async () =>
        threads().updateState(await another(), { values: { mood: "new" } }),
      "a new thread with the same metadata": async () =>
        threads().create({ metadata: (await threads().get(source)).metadata }),
    }))
      it(what, async () => {
        onCopy = make;
        const failure = await initializationFailure(lifecycle.create(inputs(), context()));
        expect(failure.message).to.contain("the agent server does not show it yet");
        const [other] = await copies();
        onCopy = (copy) => copy();
        const { id } = await upAgain(failure);
        expect(await copies()).to.have.members([other, id]);
      });

    it("one of another source, which the program has named since", async () => {
      const metadata = { graph_id: "agent", team: "b" };
      const supersteps = [{ updates: [{ as_node: "agent", values: { mood: "new" } }] }];
      const { thread_id: copyFrom } = await threads().create({ metadata, supersteps });
      onCopy = () => threads().copy(copyFrom);
      const failure = await initializationFailure(lifecycle.create(inputs(), context()));
      const others = await copies();
      onCopy = undefined;
      const { id } = await upAgain(failure, { copyFrom });
      expect(others).not.to.include(id);
    });

    it("of two that may be its own neither, and the error names both", async () => {
      onCopy = async (make) => [await another(), await make()];
      const { message } = await initializationFailure(lifecycle.create(inputs(), context()));
      for (const id of await copies()) expect(message).to.contain(id);
      expect(message).to.contain("may be another client's copy: delete those of no use");
      expect(await copies()).to.have.length(2);
    });

    for (const [what, aheadMs] of [
      ["one from before the request", 10_000],
      ["one of more than a minute after it", -120_000],
    ] as const)
      it(`${what}, by the server's clock`, async () => {
        clockAheadMs = aheadMs;
        onCopy = another;
        const { message } = await initializationFailure(lifecycle.create(inputs(), context()));
        expect(message).to.contain("the agent server does not show it yet");
        expect(await copies()).to.have.length(1);
      });
  });
});
