import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { rollBack } from "../../../provider/deployment/rollout/rollback";
import { RolloutError } from "../../../provider/deployment/service/rollout-result";
import type { Props } from "../../../provider/arguments/props";
import type { Context } from "../../../provider/resource/context";
import { aDeployment } from "../../support/builders";
import { accepted, aTarget } from "../../support/deployment";
import { contextOf, steppingContext } from "../../support/lifecycle";
import { anOperation } from "../../support/operation";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { initializationFailure, rejection } from "../../support/rejection";

/** One core, with the defaults that follow from it. */
const ONE_CORE = { cpu: 1, cpu_limit: 2, queue_cpu: 1, queue_cpu_limit: 2 };

const STOPPED = Date.parse("2026-01-01T00:00:00Z");
const PATCH = "PATCH /v2/deployments/{deployment_id}";
const REDEPLOY = "POST /v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy";

describe("taking a failed update back", () => {
  let test: TestPlatform;
  beforeEach(async () => {
    test = await startTestPlatform();
  });
  afterEach(() => test.close());

  const fail = () =>
    test.platform.admin.addOutcome({ stage: "deploy", status: "DEPLOY_FAILED", reason: "it died" });
  const context = () => contextOf(test.platform);
  const checked = async (declared: object): Promise<Props> =>
    (await lifecycle.check({}, { onFailure: "rollback", ...declared }, context())).inputs ?? {};

  /** Creates with the first arguments and updates with the second, which fails. */
  async function failing(
    before: object,
    after: object,
    meanwhile: object = {},
    more: Partial<Context> = {},
  ) {
    const { id, outs } = await lifecycle.create(await checked(before), context());
    if (Object.keys(meanwhile).length > 0) {
      await test.request("PATCH", `/v2/deployments/${id}`, meanwhile);
      await test.untilRevision(id, "DEPLOYED");
    }
    fail();
    test.platform.admin.clearRequests();
    const { message: text, properties } = await initializationFailure(
      lifecycle.update(id, outs, await checked(after), { ...context(), ...more }),
    );
    return {
      text,
      live: await test.get(id),
      properties,
      patches: test.platform.admin.requests()[PATCH],
    };
  }

  const image = (tag: string, resourceSpec?: object) => ({
    source: "external_container",
    sourceConfig: resourceSpec === undefined ? {} : { resourceSpec },
    sourceRevisionConfig: { imageUri: `registry.example.com/a:${tag}` },
  });
  const git = (tag: string, sourceConfig = {}, more = {}) => ({
    ...gitArgs(test),
    sourceConfig: { ...gitArgs(test).sourceConfig, ...sourceConfig },
    sourceRevisionConfig: {
      repoRef: `refs/tags/${tag}`,
      graphConfigPath: `${tag}/langgraph.json`,
    },
    ...more,
  });
  const sizesOf = (spec: object | null | undefined) =>
    Object.fromEntries(Object.entries(spec ?? {}).filter(([, value]) => value !== null));

  it("puts ref, graph, commands and variables back in one PATCH", async () => {
    const { live, text, patches } = await failing(
      git("v1", { installCommand: "npm ci", buildCommand: "make" }, { env: { A: "1" } }),
      git("v2", { installCommand: "npm i", buildCommand: "make all" }, { env: { A: "2", B: "3" } }),
    );
    expect(live.source_revision_config).to.include({
      repo_ref: "refs/tags/v1",
      graph_config_path: "v1/langgraph.json",
    });
    expect(live.source_config).to.include({ install_command: "npm ci", build_command: "make" });
    expect(live.secrets).to.deep.equal([{ name: "A", value: "1" }]);
    expect(text).to.contain(`rolled back: revision ${live.latest_revision_id} of the old values`);
    expect(text).not.to.contain("not rolled back");
    expect(text, "one revision serves").not.to.contain("still serves");
    expect(text, "it is there already").not.to.contain("to go back");
    expect(patches).to.equal(2);
  });

  it("says what failed, and what of the old values failed too", async () => {
    const { id, outs } = await lifecycle.create(await checked(image("v1")), context());
    fail();
    fail();
    const { message, properties } = await initializationFailure(
      lifecycle.update(id, outs, await checked(image("v2")), context()),
    );
    const live = await test.get(id);
    expect(live.source_revision_config.image_uri).to.contain(":v1");
    const [former, ...latter] = message.split("the rollback failed too:");
    expect(former).to.contain("to go back to revision").and.not.contain(live.latest_revision_id);
    expect(latter.join()).to.contain(
      `revision ${live.latest_revision_id} ended with DEPLOY_FAILED`,
    );
    expect(properties["rollout"]).to.deep.include({
      revisionId: live.latest_revision_id,
      state: "failed",
    });
  });

  const theirs = { sidecars: [{ name: "proxy", image: "i" }] };
  const meanwhile = { source_config: { resource_spec: { cpu: 1, ...theirs } } };
  for (const [what, before, after, elsewhere, left] of [
    ["a first size with its image", image("v1"), image("v2", { cpu: 8 }), {}, {}],
    [
      "an added key, and nothing of others",
      image("v1", { cpu: 1 }),
      image("v1", { cpu: 2, memoryMb: 64 }),
      meanwhile,
      { ...ONE_CORE, ...theirs },
    ],
    [
      "a key that is all that changed",
      image("v1", { cpu: 1 }),
      image("v1", { cpu: 1, memoryMb: 64 }),
      {},
      ONE_CORE,
    ],
  ] as const)
    it(`takes of a size away again ${what}`, async () => {
      const { live, text, properties } = await failing(before, after, elsewhere);
      expect(live.source_revision_config.image_uri).to.contain(":v1");
      expect(sizesOf(live.source_config.resource_spec)).to.deep.equal(left);
      expect(properties["sourceConfig"]).to.deep.equal(before.sourceConfig);
      expect(live.active_revision_id).to.equal(live.latest_revision_id);
      expect(text).to.contain("rolled back");
    });

  it("says what can't be taken back", async () => {
    const { live, text } = await failing(
      git("v1"),
      git("v2", { installCommand: "npm i" }, { env: { A: "1" } }),
    );
    expect(live.source_revision_config.repo_ref).to.equal("refs/tags/v1");
    expect(text).to.contain(
      "not rolled back, since the service has no way to clear it: installCommand, the first variables",
    );
  });

  it("says that nothing was put back where nothing has an old value, and sends nothing", async () => {
    const changed = await failing(
      git("v1", {}, { redeployOn: 1 }),
      git("v1", {}, { redeployOn: 2 }),
    );
    expect(changed.text).to.contain("nothing was rolled back");
    expect(changed.patches).to.equal(1);
  });

  it("says that a state without the good values has none to restore, and sends nothing", async () => {
    const { id, outs } = await lifecycle.create(await checked(git("v1")), context());
    const news = await checked(git("v2"));
    const olds = { ...outs, ...news, ...(await requestedElsewhere(id)) };
    const failure = await rejection(lifecycle.update(id, olds, news, context()));
    expect(failure.message).to.match(
      /ended with DEPLOY_FAILED.*declare repoRef: "refs\/tags\/v1"\n +nothing was rolled back: the state does not have the values of the last good revision$/s,
    );
    expect(failure).to.have.nested.property("properties.rollout.state", "failed");
    expect(test.platform.admin.requests()).not.to.have.property(PATCH);
  });

  it("goes back over more than one update, to what served before the first of them", async () => {
    const first = git("v1", {}, { env: { A: "1" } });
    const { id, outs } = await lifecycle.create(await checked(first), context());
    const news = await checked(git("v2", {}, { env: { A: "2" } }));
    // As the state is after an update that ran out of time.
    const olds = { ...outs, ...news, lastGoodInputs: outs, ...(await requestedElsewhere(id)) };
    const failure = await rejection(lifecycle.update(id, olds, news, context()));
    const live = await test.get(id);
    expect(failure.message).to.contain(
      `rolled back: revision ${live.latest_revision_id} of the old`,
    );
    expect(live.source_revision_config.repo_ref).to.equal("refs/tags/v1");
    expect(live.secrets).to.deep.equal([{ name: "A", value: "1" }]);
    expect(failure).to.have.nested.property("properties.rollout.state", "done");
  });

  it("does not go back to another commit, where a tag has been moved since it served", async () => {
    const { id, outs } = await lifecycle.create(await checked(git("v1")), context());
    const lastGood = Object(outs["lastGoodRevision"]);
    const olds = { ...outs, lastGoodRevision: { ...lastGood, repoCommitSha: "a".repeat(40) } };
    fail();
    const news = await checked(git("v2"));
    const { message } = await initializationFailure(lifecycle.update(id, olds, news, context()));
    expect(message).to.match(
      /the rollback failed too:\s+deployment '[^']+': revision \S+ is of commit [0-9a-f]{40} instead of a{40}, and/,
    );
  });

  it("is not begun while the new revision is in progress", async () => {
    await test.restart({ now: () => STOPPED });
    const stepping = steppingContext(test.platform);
    const { id, outs } = await lifecycle.create(await checked(image("v1")), stepping);
    const run = new AbortController();
    const cancelled = { ...stepping, signal: run.signal };
    cancelled.clock = { ...stepping.clock, sleep: async () => run.abort() };
    const news = await checked(image("v2"));
    const { message } = await initializationFailure(lifecycle.update(id, outs, news, cancelled));
    expect(message)
      .to.match(/^cancelled after .*waits for the same revision/s)
      .and.not.contain("rolled back");
  });

  it("goes on where the run is cancelled meanwhile", async () => {
    const run = new AbortController();
    const warn = () => run.abort();
    const log = { progress: () => undefined, info: () => undefined, warn };
    const more = { log, signal: run.signal };
    const { text, patches } = await failing(image("v1"), image("v2"), {}, more);
    expect(text).to.match(
      /the rollback was cut short, and goes on at the control plane: cancelled after .*\n +run `pulumi up` again; it tries the new values/,
    );
    expect(patches).to.equal(2);
  });

  it("is not begun once the run is cancelled", async () => {
    const operation = { ...anOperation(test.platform.url), signal: AbortSignal.abort() };
    const lastGood = { revision: null, declared: declaredBy(image("v1")) };
    const failure = new RolloutError(accepted(aDeployment(), "r"), ["it died"]);
    const { lines } = await rollBack(operation, { ...aTarget(image("v2")), lastGood }, failure);
    expect(lines).to.deep.equal(["it died", "nothing was rolled back: the run was cancelled"]);
  });

  it("says that a first revision has nothing before it", async () => {
    fail();
    const inputs = await checked(git("v1"));
    const { id, properties } = await initializationFailure(lifecycle.create(inputs, context()));
    fail();
    const failure = await rejection(lifecycle.update(id, properties, inputs, context()));
    expect(failure.message).to.contain("nothing was rolled back: no revision has served before");
  });

  describe("of a branch", () => {
    const branch = (repoRef: string, more = {}) => ({
      ...gitArgs(test),
      sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
      ...more,
    });

    it("redeploys the last good revision where only redeployOn changed, and patches nothing back", async () => {
      const { live, text, patches, properties } = await failing(
        branch("main", { redeployOn: 1 }),
        branch("main", { redeployOn: 2 }),
      );
      expect(text).to.contain(`rolled back: revision ${live.latest_revision_id} of the old values`);
      expect(live.active_revision_id).to.equal(live.latest_revision_id);
      expect(patches).to.equal(1);
      expect(test.platform.admin.requests()[REDEPLOY]).to.equal(1);
      expect(properties).to.deep.include({ redeployOn: 1, ready: true });
    });

    it("redeploys where a tag failed after a branch, and not where a branch failed after a tag", async () => {
      const toTag = await failing(branch("main"), branch("refs/tags/v2"));
      expect(toTag.live.source_revision_config.repo_ref).to.equal("main");
      expect(test.platform.admin.requests()[REDEPLOY]).to.equal(1);
      const other = { name: "other" };
      const toBranch = await failing(branch("refs/tags/v1", other), branch("main", other));
      expect(toBranch.live.source_revision_config.repo_ref).to.equal("refs/tags/v1");
      expect(test.platform.admin.requests()).not.to.have.property(REDEPLOY);
    });

    it("finds the revision of a redeploy whose answer was lost, and requests no second one", async () => {
      const path = "/v2/deployments/*/redeploy";
      test.platform.admin.addFault({ match: { path }, action: "drop-after", times: 1 });
      const { live, text } = await failing(
        branch("main", { redeployOn: 1 }),
        branch("main", { redeployOn: 2 }),
      );
      expect(text).to.contain(`rolled back: revision ${live.latest_revision_id} of the old values`);
      expect(test.platform.admin.requests()[REDEPLOY]).to.equal(1);
    });

    it("says what to declare on a control plane without redeploy", async () => {
      const path = "/v2/deployments/*/redeploy";
      const body = { detail: "Not Found" };
      test.platform.admin.addFault({ match: { path }, action: "status", status: 404, body });
      const { text, properties } = await failing(
        branch("main", { redeployOn: 1 }),
        branch("main", { redeployOn: 2 }),
      );
      expect(text).to.match(
        /the rollback could not be requested: redeploy revision '[^']+': .*does not offer/,
      );
      expect(properties).to.have.nested.property("rollout.state", "failed");
    });
  });

  /** The rollout of a revision that an earlier update created and that fails. */
  async function requestedElsewhere(id: string) {
    fail();
    const { sourceRevisionConfig } = git("v2");
    const { repoRef: repo_ref, graphConfigPath: graph_config_path } = sourceRevisionConfig;
    const body = { source_revision_config: { repo_ref, graph_config_path } };
    await test.request("PATCH", `/v2/deployments/${id}`, body);
    const { latest_revision_id: revisionId } = await test.get(id);
    test.platform.admin.clearRequests();
    return { rollout: { revisionId, state: "pending" }, ready: false };
  }
});
