import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { describeCreate } from "../../../provider/deployment/preview";
import { useAgentServer } from "../../local/agentserver/support";
import { previewOf } from "../../support/deployment";
import { useDeployments } from "../../support/deployment-lifecycle";
import { GIT_INPUTS } from "../../support/inputs";
import { answer, question, type RunServer, startRunServer } from "../../support/runs";

describe("the gate of a deployment", () => {
  const builtIn = useAgentServer();
  let agent: RunServer;
  let words = "";
  /** The agent server of all deployments. */
  let server = "";
  beforeEach(async () => {
    words = "Which order?";
    agent = await startRunServer(() => answer(words));
    server = agent.url;
  });
  afterEach(() => agent.close());
  // The deployments of this control plane are served by an agent that answers.
  const stack = useDeployments({
    meddle: (_request, _response, pass) =>
      pass((body) =>
        JSON.parse(JSON.stringify(body).replace(/"url":"http[^"]*"/g, `"url":"${server}"`)),
      ),
  });
  const { create, update, failed } = stack;

  const GATE = {
    graphId: "agent",
    runs: [{ input: question("Where is order 7?"), expect: { contains: "order 7" } }],
  };
  const declaring = (tag: string, more: Props = {}): Props =>
    stack.image(tag, { smokeCheck: GATE, ...more });
  const asked = () => agent.received.filter(({ url }) => url.endsWith("/runs/wait")).length;
  const revisions = ({ revisions: listed }: Props): unknown[] =>
    Array.isArray(listed) ? listed : [];

  it("keeps a revision that fails it as not ready, asks it once more at the next up and creates none", async () => {
    const { message, ...made } = await failed(create(declaring("v1")));
    expect(made.outs).to.include({ ready: false });
    expect(message)
      .to.contain("is deployed and not ready, since its gate failed: 0 of 1 runs passed")
      .and.contain('expected an answer that contains "order 7"; got: Which order?')
      .and.contain("`pulumi up` asks the gate of this revision once more and creates none")
      .and.contain("another value of `redeployOn`, to create one new revision");
    words = "order 7 is on its way";
    const { outs } = await update(made, declaring("v1"));
    expect(outs).to.include({ ready: true });
    expect(revisions(outs)).to.have.length(1);
    expect(asked()).to.equal(2);
  });

  it("shows no part of a secret where it quotes a part of an answer", async () => {
    const KEY = "CANARY-key-of-which-no-part-is-shown";
    words = "x".repeat(280) + KEY;
    const { message } = await failed(create(declaring("v1", { secrets: { KEY } })));
    expect(message).to.contain("its gate failed").and.not.contain("CANARY");
  });

  it("is asked once by an up, also where a hook tries again", async () => {
    const running = stack.context();
    const made = await failed(create(declaring("v1"), running));
    const again = await failed(update(made, declaring("v1"), running));
    expect(again.message).to.contain("its gate failed");
    expect(asked()).to.equal(1);
  });

  it("is not asked again for a revision that has passed it", async () => {
    words = "order 7";
    const made = await create(declaring("v1", { wait: { until: "deployed" } }));
    const updated = await update(made, declaring("v1"));
    expect(updated.outs).to.include({ ready: true });
    const { props: outs = {} } = await stack.read(updated);
    await update({ ...made, outs }, declaring("v1"));
    expect(asked()).to.equal(1);
  });

  it("is asked for a revision that a stricter wait makes wait for the first time", async () => {
    words = "order 7";
    const ungated = { wait: { until: "none" }, smokeCheck: { graphId: "agent" } };
    const made = await create(declaring("v1", ungated));
    await stack.test.untilRevision(made.id, "DEPLOYED");
    await update(made, declaring("v1"));
    expect(asked()).to.equal(1);
  });

  it("rolls back with onFailure rollback, and does not ask the revision that it goes back to", async () => {
    words = "order 7";
    const made = await create(declaring("v1"));
    words = "Which order?";
    const rollback = update(made, declaring("v2", { onFailure: "rollback" }));
    const { message, outs } = await failed(rollback);
    expect(message)
      .to.contain("its gate failed: 0 of 1 runs passed")
      .and.contain("rolled back: revision")
      .and.contain("before the next `pulumi up`, which tries them again");
    expect((await stack.get(made.id)).source_revision_config.image_uri).to.contain(":v1");
    expect(outs).to.have.nested.property("sourceRevisionConfig.imageUri").that.contains(":v1");
    expect(outs).to.have.nested.property("smokeCheck.runs");
    expect(asked()).to.equal(2);
  });

  it("says in the preview that it follows, with the number of its runs", async () => {
    const declared = { ...GIT_INPUTS, name: "support", smokeCheck: GATE };
    const rollout = { revisionId: "r-1", state: "pending" };
    expect(previewOf(declared, { ...declared, env: { A: "1" } })).to.contain(
      "variable A added; it builds the newest commit of branch main; a gate of 1 run follows",
    );
    expect(previewOf({ ...declared, rollout }, declared)).to.equal(
      "waits for revision r-1; a gate of 1 run follows",
    );
    expect(previewOf(declared, { ...declared, smokeCheck: true })).to.equal(undefined);
    expect(describeCreate(declaredBy(declared))).to.equal("a gate of 1 run follows");
  });

  it("is refused by the check where the server has no runs, and the next one of these inputs neither", async () => {
    const inputs = await stack.checked(declaring("v1", { smokeCheck: true }));
    await create(inputs);
    server = `http://127.0.0.1:${builtIn.port()}`;
    const failuresOf = async (more: object) => {
      const { failures = [] } = await lifecycle.check(
        inputs,
        { ...inputs, ...more },
        stack.context(),
      );
      return failures.map(({ property, reason }) => `${property} ${reason}`);
    };
    const [refusal = "", ...others] = await failuresOf({ smokeCheck: GATE });
    expect(refusal).to.match(/^smokeCheck.runs can't be asked: the agent server has no runs/);
    expect(others).to.deep.equal([]);
    const { sourceRevisionConfig } = stack.image("v2");
    expect(await failuresOf({ smokeCheck: GATE, sourceRevisionConfig })).to.have.length(1);
    expect(await failuresOf({})).to.deep.equal([]);
    server = agent.url;
    expect(await failuresOf({ smokeCheck: GATE })).to.deep.equal([]);
    server = "http://agent.example.com/?a=b";
    expect(await failuresOf({ smokeCheck: GATE })).to.deep.equal([]);
  });

  it("is refused where it could not be asked, all problems at once", async () => {
    const wrong = [
      { input: question("a"), expect: { contains: "a", matches: "(" }, threadId: "x" },
      { expect: {} },
    ];
    const failuresOf = async (smokeCheck: object, more: object = {}) =>
      (await lifecycle.check({}, { ...GIT_INPUTS, smokeCheck, ...more }, stack.context()))
        .failures ?? [];
    const failures = await failuresOf({ atLeast: 2, runs: wrong }, { wait: { until: "none" } });
    expect(failures.map(({ property, reason }) => `${property}: ${reason}`)).to.have.members([
      ": unknown argument 'smokeCheck.runs[0].threadId'",
      "smokeCheck.atLeast: must be at most 1",
      "smokeCheck.runs[0].expect: takes one of contains, equals and matches",
      "smokeCheck.runs[0].expect.matches: is not a valid regular expression: Invalid regular expression: /(/u: Unterminated group",
      "smokeCheck.runs[1].input: is required",
      "smokeCheck.runs[1].expect: needs contains, equals, matches or path",
      "smokeCheck.runs: can't be set together with wait.until none",
    ]);
    const more = await failuresOf({ runs: GATE.runs });
    expect(more.map(({ property }) => property)).to.deep.equal(["smokeCheck.runs[0].assistantId"]);
  });
});
