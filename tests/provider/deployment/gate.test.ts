import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { describeCreate } from "../../../provider/deployment/preview";
import type { Context } from "../../../provider/resource/context";
import { newProcessCache } from "../../../provider/resource/process-cache";
import { useAgentServer } from "../../local/agentserver/support";
import { previewOf } from "../../support/deployment";
import type { TestServer } from "../../support/http";
import { GIT_INPUTS } from "../../support/inputs";
import { contextOf } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { startRelay } from "../../support/relay";
import { initializationFailure } from "../../support/rejection";
import { answer, question, type RunServer, startRunServer } from "../../support/runs";

describe("the gate of a deployment", () => {
  const builtIn = useAgentServer();
  let test: TestPlatform;
  let agent: RunServer;
  let relay: TestServer;
  let words = "";
  /** The agent server of all deployments. */
  let server = "";
  const said: string[] = [];

  beforeEach(async () => {
    said.splice(0);
    words = "Which order?";
    test = await startTestPlatform();
    agent = await startRunServer(() => answer(words));
    server = agent.url;
    // The deployments of this control plane are served by an agent that answers.
    relay = await startRelay(test.platform.url, (_request, _response, pass) =>
      pass((body) =>
        JSON.parse(JSON.stringify(body).replace(/"url":"http[^"]*"/g, `"url":"${server}"`)),
      ),
    );
  });
  afterEach(async () => {
    await relay.close();
    await agent.close();
    await test.close();
  });

  const GATE = {
    graphId: "agent",
    runs: [{ input: question("Where is order 7?"), expect: { contains: "order 7" } }],
  };
  /** A context of the next `pulumi up`: a process of its own. */
  const nextUp = (): Context => ({
    ...contextOf({ ...test.platform, url: relay.url }, said),
    processCache: newProcessCache(),
  });
  const declaring = async (tag: string, more: object = {}): Promise<Props> => {
    const args = {
      source: "external_container",
      sourceRevisionConfig: { imageUri: `registry.example.com/a:${tag}` },
      smokeCheck: GATE,
      ...more,
    };
    return (await lifecycle.check({}, args, nextUp())).inputs ?? {};
  };
  const asked = () => agent.received.filter(({ url }) => url.endsWith("/runs/wait")).length;
  const revisions = ({ revisions: listed }: Props): unknown[] =>
    Array.isArray(listed) ? listed : [];

  it("keeps a revision that fails it as not ready, asks it once more at the next up and creates none", async () => {
    const inputs = await declaring("v1");
    const { id, message, properties } = await initializationFailure(
      lifecycle.create(inputs, nextUp()),
    );
    expect(properties).to.include({ ready: false });
    expect(message)
      .to.contain("is deployed and not ready, since its gate failed: 0 of 1 runs passed")
      .and.contain('expected an answer that contains "order 7"; got: Which order?')
      .and.contain("`pulumi up` asks the gate of this revision once more and creates none")
      .and.contain("another value of `redeployOn`, to create one new revision");
    words = "order 7 is on its way";
    const { outs } = await lifecycle.update(id, properties, inputs, nextUp());
    expect(outs).to.include({ ready: true });
    expect(revisions(outs)).to.have.length(1);
    expect(asked()).to.equal(2);
  });

  it("is asked once by an up, also where a hook tries again", async () => {
    const inputs = await declaring("v1");
    const context = nextUp();
    const { id, properties } = await initializationFailure(lifecycle.create(inputs, context));
    const again = await initializationFailure(lifecycle.update(id, properties, inputs, context));
    expect(again.message).to.contain("its gate failed");
    expect(asked()).to.equal(1);
  });

  it("is not asked again for a revision that has passed it", async () => {
    words = "order 7";
    const waiting = (until: string) => declaring("v1", { wait: { until } });
    const { id, outs } = await lifecycle.create(await waiting("deployed"), nextUp());
    const active = await waiting("active");
    const updated = await lifecycle.update(id, outs, active, nextUp());
    expect(updated.outs).to.include({ ready: true });
    const read = await lifecycle.read(id, updated.outs ?? {}, nextUp());
    await lifecycle.update(id, read.props ?? {}, active, nextUp());
    expect(asked()).to.equal(1);
  });

  it("is asked for a revision that a stricter wait makes wait for the first time", async () => {
    words = "order 7";
    const ungated = { wait: { until: "none" }, smokeCheck: { graphId: "agent" } };
    const { id, outs } = await lifecycle.create(await declaring("v1", ungated), nextUp());
    await test.untilRevision(id, "DEPLOYED");
    await lifecycle.update(id, outs, await declaring("v1"), nextUp());
    expect(asked()).to.equal(1);
  });

  it("rolls back with onFailure rollback, and does not ask the revision that it goes back to", async () => {
    words = "order 7";
    const { id, outs } = await lifecycle.create(await declaring("v1"), nextUp());
    words = "Which order?";
    const rollback = await declaring("v2", { onFailure: "rollback" });
    const { message, properties } = await initializationFailure(
      lifecycle.update(id, outs, rollback, nextUp()),
    );
    expect(message)
      .to.contain("its gate failed: 0 of 1 runs passed")
      .and.contain("rolled back: revision")
      .and.contain("before the next `pulumi up`, which tries them again");
    expect((await test.get(id)).source_revision_config.image_uri).to.contain(":v1");
    expect(properties)
      .to.have.nested.property("sourceRevisionConfig.imageUri")
      .that.contains(":v1");
    expect(properties).to.have.nested.property("smokeCheck.runs");
    expect(asked()).to.equal(2);
  });

  it("says in the preview that it follows, with the number of its runs", async () => {
    const declared = { ...GIT_INPUTS, name: "support", smokeCheck: GATE };
    const rollout = { revisionId: "r-1", state: "pending" };
    const changed = { ...declared, env: { A: "1" } };
    expect(previewOf(declared, changed)).to.contain(
      "variable A added; it builds the newest commit of branch main; a gate of 1 run follows",
    );
    expect(previewOf({ ...declared, rollout }, declared)).to.equal(
      "waits for revision r-1; a gate of 1 run follows",
    );
    expect(previewOf(declared, { ...declared, smokeCheck: true })).to.equal(undefined);
    expect(describeCreate(declaredBy(declared))).to.equal("a gate of 1 run follows");
  });

  it("is refused by the check where the server has no runs, and the next one of these inputs neither", async () => {
    const inputs = await declaring("v1", { smokeCheck: true });
    await lifecycle.create(inputs, nextUp());
    server = `http://127.0.0.1:${builtIn.port()}`;
    const failuresOf = async (more: object) => {
      const { failures = [] } = await lifecycle.check(inputs, { ...inputs, ...more }, nextUp());
      return failures.map(({ property, reason }) => `${property} ${reason}`);
    };
    const [refusal = "", ...others] = await failuresOf({ smokeCheck: GATE });
    expect(refusal).to.match(/^smokeCheck.runs can't be asked: the agent server has no runs/);
    expect(others).to.deep.equal([]);
    expect(await failuresOf({})).to.deep.equal([]);
    server = agent.url;
    expect(await failuresOf({ smokeCheck: GATE })).to.deep.equal([]);
  });

  it("is refused where it could not be asked, all problems at once", async () => {
    const expectation = { contains: "a", matches: "(" };
    const args = {
      ...GIT_INPUTS,
      wait: { until: "none" },
      smokeCheck: {
        atLeast: 2,
        runs: [{ input: question("a"), expect: expectation, threadId: "x" }, { expect: {} }],
      },
    };
    const { failures = [] } = await lifecycle.check({}, args, nextUp());
    expect(failures.map(({ property, reason }) => `${property}: ${reason}`)).to.have.members([
      ": unknown argument 'smokeCheck.runs[0].threadId'",
      "smokeCheck.atLeast: must be at most 1",
      "smokeCheck.runs[0].expect: takes one of contains, equals and matches",
      "smokeCheck.runs[0].expect.matches: is not a valid regular expression: Invalid regular expression: /(/u: Unterminated group",
      "smokeCheck.runs[1].input: is required",
      "smokeCheck.runs[1].expect: needs contains, equals, matches or path",
      "smokeCheck.runs: can't be set together with wait.until none",
    ]);
    const { failures: more = [] } = await lifecycle.check(
      {},
      { ...GIT_INPUTS, smokeCheck: { runs: GATE.runs } },
      nextUp(),
    );
    expect(more.map(({ property }) => property)).to.deep.equal(["smokeCheck.runs[0].assistantId"]);
  });
});
