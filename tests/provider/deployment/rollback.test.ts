import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { recordOf } from "../../../shared/records";
import { type Failed, useDeployments } from "../../support/deployment-lifecycle";
import { DIALECTS } from "../../../sdk";

/** One core, with the defaults that follow from it. */
const ONE_CORE = { cpu: 1, cpu_limit: 2, queue_cpu: 1, queue_cpu_limit: 2 };
const REDEPLOY = "POST /v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy";

describe("taking a failed update back", () => {
  const stack = useDeployments();
  const { get } = stack;
  const fails = () => stack.fails("DEPLOY_FAILED", "it died");
  const redeploys = () => stack.admin.requests()[REDEPLOY] ?? 0;
  const rollingBack = (declared: Props): Props => ({ onFailure: "rollback", ...declared });
  const create = (declared: Props) => stack.create(rollingBack(declared));
  const update = (...[made, declared]: Parameters<typeof stack.update>) =>
    stack.update(made, rollingBack(declared));

  /** Creates with the first arguments and updates with the second, which fails. */
  async function failing(before: Props, after: Props, meanwhile?: object) {
    const made = await create(before);
    if (meanwhile) await stack.changeElsewhere(made.id, meanwhile);
    fails();
    stack.admin.clearRequests();
    const { message: text, outs } = await stack.failed(update(made, after));
    const live = await get(made.id);
    const back = `rolled back: revision ${live.latest_revision_id} of the old values`;
    return { text, live, outs, back, patches: stack.patches() };
  }
  /** The failure of the next update after one to `v2` that ran out of time, and whose revision ended so. */
  const afterTimeout = async (end: Failed | "DEPLOYED", more: Props, states: Props[]) => {
    const [before = {}, after = {}, next = after] = states;
    const { id, outs } = await create(before);
    const body = { source_revision_config: { repo_ref: "refs/tags/v2", graph_config_path: "v2" } };
    const { id: revisionId } = await stack.changeElsewhere(id, body, end);
    if (end === "DEPLOYED") fails();
    stack.admin.clearRequests();
    const rollout = { rollout: { revisionId, state: "pending" }, ready: false };
    const inputs = await stack.checked(rollingBack(after));
    const kept = more["lastGoodInputs"] === true ? { lastGoodInputs: outs } : {};
    return stack.failed(update({ id, outs: { ...outs, ...inputs, ...kept, ...rollout } }, next));
  };

  const image = (tag: string, resourceSpec?: object) =>
    stack.image(tag, resourceSpec === undefined ? {} : { sourceConfig: { resourceSpec } });
  const branch = (ref: string, more: Props = {}, config: Props = {}) =>
    stack.git(ref, more, config);
  const git = (tag: string, config: Props = {}, more: Props = {}) => {
    const sourceRevisionConfig = { repoRef: `refs/tags/${tag}`, graphConfigPath: tag };
    return branch("", { sourceRevisionConfig, ...more }, config);
  };

  it("puts ref, graph, commands and variables back in one PATCH", async () => {
    const { live, text, patches, back } = await failing(
      git("v1", { installCommand: "npm ci", buildCommand: "make" }, { env: { A: "1" } }),
      git("v2", { installCommand: "npm i", buildCommand: "make all" }, { env: { A: "2", B: "3" } }),
    );
    const config = { repo_ref: "refs/tags/v1", graph_config_path: "v1" };
    expect(live.source_revision_config).to.include(config);
    expect(live.source_config).to.include({ install_command: "npm ci", build_command: "make" });
    expect(live.secrets).to.deep.equal([{ name: "A", value: "1" }]);
    expect(text).to.contain(back).and.not.contain("not rolled back");
    expect(text, "one revision serves").not.to.contain("still serves");
    expect(text, "it is there already").not.to.contain("to go back");
    expect(patches).to.equal(2);
  });

  it("says what failed, and what of the old values failed too", async () => {
    const made = await create(image("v1"));
    fails();
    fails();
    const { message, outs } = await stack.failed(update(made, image("v2")));
    const { latest_revision_id: revisionId, source_revision_config: source } = await get(made.id);
    expect(source.image_uri).to.contain(":v1");
    const [former, ...latter] = message.split("the rollback failed too:");
    expect(former).to.contain("to go back to revision").and.not.contain(revisionId);
    expect(latter.join()).to.contain(`revision ${revisionId} ended with DEPLOY_FAILED`);
    expect(outs["rollout"]).to.deep.include({ revisionId, state: "failed" });
  });

  const theirs = { sidecars: [{ name: "proxy", image: "i" }] };
  const LARGER = { cpu: 2, memoryMb: 64 };
  const BESIDE = { source_config: { resource_spec: { cpu: 1, ...theirs } } };
  const LEFT = { ...ONE_CORE, ...theirs };
  for (const [what, tag, before, after, elsewhere, left] of [
    ["a first size with its image", "v2", undefined, { cpu: 8 }, undefined, {}],
    ["an added key, and nothing of others", "v1", { cpu: 1 }, LARGER, BESIDE, LEFT],
    ["a key alone", "v1", { cpu: 1 }, { cpu: 1, memoryMb: 64 }, undefined, ONE_CORE],
  ] as const)
    it(`takes of a size away again ${what}`, async () => {
      const good = image("v1", before);
      const { live, text, outs } = await failing(good, image(tag, after), elsewhere);
      expect(live.source_revision_config.image_uri).to.contain(":v1");
      const spec = Object.entries(recordOf(live.source_config.resource_spec));
      expect(Object.fromEntries(spec.filter(([, value]) => value !== null))).to.deep.equal(left);
      expect(outs["sourceConfig"]).to.deep.equal(good["sourceConfig"]);
      expect(live.active_revision_id).to.equal(live.latest_revision_id);
      expect(text).to.contain("rolled back");
    });

  it("keeps secret what either program has made so", async () => {
    const of = (tag: string, name: string) => git(tag, {}, { env: { A: tag }, __secrets: [name] });
    const { outs } = await failing(of("v1", "A"), of("v2", "B"));
    expect(outs["__secrets"]).to.have.members(["A", "B"]);
  });

  it("says what can't be taken back", async () => {
    const news = git("v2", { installCommand: "npm i" }, { env: { A: "1" } });
    const { live, text, outs } = await failing(git("v1"), news);
    expect(outs).to.deep.include({ env: { A: "1" } });
    expect(live.source_revision_config.repo_ref).to.equal("refs/tags/v1");
    expect(text).to.contain(
      "not rolled back, since the service has no way to clear it: installCommand, the first variables",
    );
  });

  it("says that a state without the good values has none to restore, and sends nothing", async () => {
    const { message, outs } = await afterTimeout("DEPLOY_FAILED", {}, [git("v1"), git("v2")]);
    expect(message).to.match(
      /ended with DEPLOY_FAILED.*declare repoRef: "refs\/tags\/v1"\n +nothing was rolled back: the state does not have the values of the last good revision$/s,
    );
    expect(outs).to.have.nested.property("rollout.state", "failed");
    expect(stack.patches()).to.equal(0);
  });

  for (const [end, next, good] of [
    ["DEPLOY_FAILED", "2", "1"],
    ["DEPLOYED", "3", "2"],
  ] as const)
    it(`goes back to v${good}, and not past it, after an update to v2 that ran out of time and is ${end} by now`, async () => {
      const of = (A: string) => git(`v${A}`, {}, { env: { A } });
      const states = [of("1"), of("2"), of(next)];
      const { id, message, outs } = await afterTimeout(end, { lastGoodInputs: true }, states);
      const live = await get(id);
      expect(message).to.contain(`rolled back: revision ${live.latest_revision_id} of the old`);
      expect(live.source_revision_config.repo_ref).to.equal(`refs/tags/v${good}`);
      expect(live.secrets).to.deep.equal([{ name: "A", value: good }]);
      expect(outs).to.have.nested.property("rollout.state", "done");
    });

  it("does not go back to another commit, where a tag has been moved since it served, and expects none that served of another ref", async () => {
    const { id, outs } = await create(git("v1"));
    const rolledBack = async (more: Props) => {
      const good = { ...recordOf(outs["lastGoodRevision"]), repoCommitSha: "a".repeat(40) };
      fails();
      const state = { id, outs: { ...outs, lastGoodRevision: { ...good, ...more } } };
      return (await stack.failed(update(state, git("v2")))).message;
    };
    expect(await rolledBack({})).to.match(
      /the rollback failed too:\s+deployment '[^']+': revision \S+ is of commit [0-9a-f]{40} instead of a{40}, and/,
    );
    expect(await rolledBack({ repoRef: "refs/tags/v0" })).to.contain("rolled back: revision");
  });

  describe("of a branch", () => {
    const redeploying = () =>
      failing(branch("main", { redeployOn: 1 }), branch("main", { redeployOn: 2 }));
    const path = "/v2/deployments/*/redeploy";

    for (const isLost of [false, true])
      it(`redeploys the last good revision once where only redeployOn changed, the answer ${isLost ? "being lost" : "arriving"}, and patches nothing back`, async () => {
        if (isLost) stack.admin.addFault({ match: { path }, action: "drop-after", times: 1 });
        const { live, text, back, patches, outs } = await redeploying();
        expect(text).to.contain(back);
        expect(live.active_revision_id).to.equal(live.latest_revision_id);
        expect([patches, redeploys()]).to.deep.equal([1, 1]);
        expect(outs).to.include({ redeployOn: 1, ready: true });
      });

    it("redeploys where a tag failed after a branch, and not where a branch failed after a tag", async () => {
      const toTag = await failing(branch("main"), branch("refs/tags/v2"));
      expect(toTag.live.source_revision_config.repo_ref).to.equal("main");
      expect(redeploys()).to.equal(1);
      const other = { name: "other" };
      const toBranch = await failing(branch("refs/tags/v1", other), branch("main", other));
      expect(toBranch.live.source_revision_config.repo_ref).to.equal("refs/tags/v1");
      expect(redeploys()).to.equal(0);
    });

    it("says what to declare on a control plane without redeploy", async () => {
      stack.test.answers({ path }, 404, { detail: "Not Found" }, 9);
      const { text, outs } = await redeploying();
      expect(text).to.match(
        /the rollback could not be requested: redeploy revision '[^']+': .*does not offer/,
      );
      expect(outs).to.have.nested.property("rollout.state", "failed");
    });
  });
});

const INTERRUPT = "POST /v2/deployments/{deployment_id}/revisions/{revision_id}/interrupt";

// Whatever is deployed has served, so the statuses of all revisions say at the end what ever did.
for (const dialect of DIALECTS)
  describe(`what serves on a branch after a failed update, in the dialect ${dialect}`, () => {
    const config = { "agentserver:dialect": dialect };
    const stack = useDeployments({ dialect, config, isStepping: true });
    const branch = (repoRef: string, more: Props = {}, sourceConfig: Props = {}) =>
      stack.git(repoRef, { onFailure: "rollback", ...more }, sourceConfig);
    const refuse = (path: string, status: number, detail: string) =>
      stack.test.answers({ path }, status, { detail }, 9);

    async function failing(before: Props, after: Props) {
      const made = await stack.create(before);
      const [good] = await stack.revisions(made.id);
      stack.fails("DEPLOY_FAILED", "died");
      const { message, outs } = await stack.failed(stack.update(made, after));
      const revisions = await stack.revisions(made.id);
      const deployed = revisions.flatMap(({ id, status }) => (status === "DEPLOYED" ? [id] : []));
      const live = await stack.get(made.id);
      return { good, message, outs, revisions, deployed, live };
    }
    const changingVariables = (ref = "main") =>
      failing(branch("main", { env: { A: "1" } }), branch(ref, { env: { A: "2" } }));

    it("is the good commit alone, by one new revision, where the ref failed", async () => {
      const { good, deployed, revisions, live, outs } = await failing(
        branch("main", { redeployOn: 1 }),
        branch("next", { redeployOn: 2 }),
      );
      expect(revisions).to.have.length(3);
      expect(stack.patches()).to.equal(1);
      expect(stack.admin.requests()).not.to.have.property(INTERRUPT);
      expect(deployed).to.deep.equal([live.active_revision_id, good?.id]);
      expect(live.source_revision_config).to.deep.equal(good?.source_revision_config);
      expect(outs).to.have.nested.property("sourceRevisionConfig.repoRef", "main");
    });

    it("is the good commit alone where variables failed with it: what a PATCH creates is interrupted", async () => {
      const { good, deployed, revisions, live, message } = await changingVariables("next");
      expect(revisions.map(({ status }) => status).join()).to.equal(
        "DEPLOYED,INTERRUPTED,DEPLOY_FAILED,DEPLOYED",
      );
      expect(deployed).to.deep.equal([live.active_revision_id, good?.id]);
      expect(live.secrets).to.deep.equal([{ name: "A", value: "1" }]);
      expect(message).to.contain(`rolled back: revision ${live.active_revision_id} of the old`);
    });

    it("puts commands back without a revision of them", async () => {
      const commanded = (buildCommand: string) => branch("main", {}, { buildCommand });
      const { revisions, live } = await failing(commanded("make"), commanded("make all"));
      expect(revisions).to.have.length(3);
      expect(live.source_config.build_command).to.equal("make");
    });

    it("stays as it is where it is not known whether the control plane can interrupt, and nothing is sent", async () => {
      refuse("/v2/deployments/*/interrupt", 503, "later");
      const { good, deployed, message } = await changingVariables();
      expect(deployed).to.deep.equal([good?.id]);
      expect(stack.patches()).to.equal(1);
      expect(message).to.contain("the rollback could not be requested: ").and.contain("503 later");
    });

    it("stays as it is where the control plane can't interrupt, and nothing is sent", async () => {
      refuse("/v2/deployments/*/interrupt", 404, "Not Found");
      const { good, deployed, message, live } = await changingVariables();
      expect(deployed).to.deep.equal([good?.id]);
      expect(live.active_revision_id).to.equal(good?.id);
      expect(stack.patches()).to.equal(1);
      expect(stack.admin.requests()).not.to.have.property(REDEPLOY);
      expect(message).to.contain(
        "the rollback could not be requested: only a new revision puts the variables back",
      );
    });

    it("is the good commit in the end where the control plane refuses to interrupt, and a warning says what may serve before", async () => {
      refuse("/v2/deployments/*/interrupt", 400, "not now");
      const { good, live, message, revisions } = await changingVariables();
      expect(message).to.contain(`rolled back: revision ${live.active_revision_id} of the old`);
      expect(live.source_revision_config.repo_commit_sha).to.equal(
        good?.source_revision_config?.repo_commit_sha,
      );
      const warning = stack.said.find((line) => line.includes("could not be interrupted"));
      expect(warning).to.contain(revisions[1]?.id).and.contain("may serve").and.contain("not now");
    });
  });

describe("a failed update whose revision is in progress", () => {
  const stack = useDeployments({ isStepping: true });

  it("is not taken back", async () => {
    const made = await stack.create(stack.image("v1", { onFailure: "rollback" }));
    const run = new AbortController();
    const where = stack.context();
    const clock = { ...where.clock, sleep: async () => run.abort() };
    const cancelled = { ...where, clock, signal: run.signal };
    const inputs = stack.image("v2", { onFailure: "rollback" });
    const { message } = await stack.failed(stack.update(made, inputs, cancelled));
    expect(message)
      .to.match(/^cancelled after .*waits for the same revision/s)
      .and.not.contain("rolled back");
  });
});
