import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { contextOf } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { initializationFailure, rejection } from "../../support/rejection";

describe("an update after one that left no record", () => {
  let test: TestPlatform;
  let said: string[] = [];
  beforeEach(async () => {
    said = [];
    test = await startTestPlatform();
  });
  afterEach(() => test.close());

  const context = () => contextOf(test.platform, said);
  const checked = async (repoRef: string, more: object = {}) => {
    const sourceRevisionConfig = { repoRef, graphConfigPath: "langgraph.json" };
    const declared = { ...gitArgs(test), sourceRevisionConfig, ...more };
    return (await lifecycle.check({}, declared, context())).inputs ?? {};
  };
  const fails = () => {
    test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
  };
  /** A deployment whose first revision failed, as the state holds it. */
  const afterFailure = async (more: object = {}) => {
    fails();
    const { id, message, properties } = await initializationFailure(
      lifecycle.create(await checked("main", more), context()),
    );
    expect(message).to.contain("BUILD_FAILED");
    return { id, olds: properties };
  };
  /** Another client creates a revision of other values, and it runs. */
  const bySomebody = async (id: string, body: object) => {
    await test.request("PATCH", `/v2/deployments/${id}`, body);
    await test.untilRevision(id, "DEPLOYED");
  };
  const movedTo = (repo_ref: string) => ({ source_revision_config: { repo_ref } });

  it("follows the revision that was made after a failed one, and says that it makes none", async () => {
    const { id, olds } = await afterFailure();
    const news = await checked("main");
    await lifecycle.update(id, olds, news, context());
    const { outs } = await lifecycle.update(id, olds, news, context());
    const { latest_revision_id: latest } = await test.get(id);
    expect(outs).to.deep.include({ rollout: { revisionId: latest, state: "done" } });
    expect(await test.revisions(id)).to.have.length(2);
    expect(said.join()).to.contain(`revision ${latest} came after the failed one`);
  });

  it("waits for a revision that no wait had asked for, and fails where it failed", async () => {
    const accepted = await checked("main", { wait: { until: "none" } });
    fails();
    const { id, outs } = await lifecycle.create(accepted, context());
    await test.untilRevision(id, "BUILD_FAILED");
    const { message, properties } = await initializationFailure(
      lifecycle.update(id, outs, await checked("main"), context()),
    );
    expect(message).to.contain("ended with BUILD_FAILED");
    expect(properties).to.deep.include({ ready: false });
    expect(properties["rollout"]).to.include({ state: "failed" });
    expect(await test.revisions(id)).to.have.length(1);
  });

  it("follows the revision that was made, and fails where it failed, though a setting is left to send", async () => {
    const { id, outs } = await lifecycle.create(await checked("main"), context());
    fails();
    await test.request("PATCH", `/v2/deployments/${id}`, movedTo("next"));
    const sourceConfig = { ...gitArgs(test).sourceConfig, buildOnPush: true };
    const news = await checked("next", { sourceConfig });
    const { message, properties } = await initializationFailure(
      lifecycle.update(id, outs, news, context()),
    );
    expect(message).to.contain("ended with BUILD_FAILED");
    expect(properties).to.deep.include({ ready: false });
    const live = await test.get(id);
    expect(live.source_config.build_on_push).to.equal(true);
    expect(await test.revisions(id)).to.have.length(2);
  });

  it("sends all that is declared where a revision that it waited for has failed and a killed rollback has taken it back", async () => {
    const { id, outs } = await lifecycle.create(await checked("main"), context());
    fails();
    await test.request("PATCH", `/v2/deployments/${id}`, movedTo("next"));
    const failed = (await test.untilRevision(id, "BUILD_FAILED")).id;
    const news = await checked("next", { env: { A: "1" } });
    const rollout = { revisionId: failed, state: "pending" };
    const olds = { ...outs, ...(await checked("next")), lastGoodInputs: outs, rollout };
    await bySomebody(id, movedTo("main"));
    const { outs: after } = await lifecycle.update(id, olds, news, context());
    expect(after).to.deep.include({ ready: true });
    expect((await test.get(id)).source_revision_config.repo_ref).to.equal("next");
    expect(await test.revisions(id)).to.have.length(4);
  });

  it("creates one new revision when the one after a failed one failed too", async () => {
    const { id, olds } = await afterFailure();
    const news = await checked("main");
    fails();
    await rejection(lifecycle.update(id, olds, news, context()));
    await lifecycle.update(id, olds, news, context());
    expect(await test.revisions(id)).to.have.length(3);
  });

  it("creates one revision of the declared values where another client put others in their place", async () => {
    const given = { env: { A: "1" } };
    const { id, olds } = await afterFailure(given);
    await bySomebody(id, {
      ...movedTo("hotfix"),
      secrets: [{ name: "A", value: "2" }],
    });
    const { outs } = await lifecycle.update(id, olds, await checked("main", given), context());
    const live = await test.get(id);
    expect(live.source_revision_config.repo_ref).to.equal("main");
    expect(live.secrets).to.deep.equal([{ name: "A", value: "1" }]);
    expect(outs).to.deep.include({
      rollout: { revisionId: live.latest_revision_id, state: "done" },
    });
    expect(await test.revisions(id)).to.have.length(3);
  });

  it("creates one revision of the declared values where others were put there and failed too", async () => {
    const { id, olds } = await afterFailure();
    fails();
    await test.request("PATCH", `/v2/deployments/${id}`, movedTo("hotfix"));
    await test.untilRevision(id, "BUILD_FAILED");
    await lifecycle.update(id, olds, await checked("main"), context());
    expect((await test.get(id)).source_revision_config.repo_ref).to.equal("main");
  });

  it("leaves a command alone that another client set and no program declares", async () => {
    const { id, olds } = await afterFailure();
    await bySomebody(id, { source_config: { install_command: "npm i" }, ...movedTo("hotfix") });
    await lifecycle.update(id, olds, await checked("main"), context());
    const { source_config: config, source_revision_config: revision } = await test.get(id);
    expect(config.install_command).to.equal("npm i");
    expect(revision.repo_ref).to.equal("main");
  });

  it("leaves alone what another client set where ignoreChanges names it", async () => {
    const ignoring = { __ignored: ["sourceRevisionConfig.repoRef"] };
    const { id, olds } = await afterFailure(ignoring);
    await bySomebody(id, movedTo("elsewhere"));
    const news = await checked("main", ignoring);
    await lifecycle.update(id, olds, news, context());
    expect(await test.revisions(id), "the revision of the new ref is followed").to.have.length(2);
    fails();
    await test.request("PATCH", `/v2/deployments/${id}`, movedTo("further"));
    await test.untilRevision(id, "BUILD_FAILED");
    await lifecycle.update(id, olds, news, context());
    expect((await test.get(id)).source_revision_config.repo_ref).to.equal("further");
    expect(await test.revisions(id)).to.have.length(4);
  });

  /** What a killed command has left: the state is that of before. */
  const killed = async () => {
    const { id, outs } = await lifecycle.create(
      await checked("main", { env: { A: "1" } }),
      context(),
    );
    return { id, outs, news: await checked("main", { env: { A: "2" } }) };
  };
  const asked = { secrets: [{ name: "A", value: "2" }] };

  it("is made once more after a refresh where its revision has failed, which is not ready", async () => {
    const { id, outs, news } = await killed();
    fails();
    await test.request("PATCH", `/v2/deployments/${id}`, asked);
    await test.untilRevision(id, "BUILD_FAILED");
    const { props = {} } = await lifecycle.read(id, outs, context());
    expect(props).to.include({ ready: false });
    expect(lifecycle.diff(id, props, news, context())).to.deep.equal({ changes: true });
    const { outs: updated } = await lifecycle.update(id, props, news, context());
    expect(updated).to.include({ ready: true });
    expect(await test.revisions(id)).to.have.length(3);
  });

  it("is waited for after a refresh while its revision is going on, and made no second time", async () => {
    const { id, outs, news } = await killed();
    const match = { method: "GET", path: `/v2/deployments/${id}/revisions/*` };
    test.platform.admin.addFault({ match, action: "status", status: 404, times: 1 });
    await test.request("PATCH", `/v2/deployments/${id}`, asked);
    const { props = {} } = await lifecycle.read(id, outs, context());
    const { latest_revision_id: latest } = await test.get(id);
    expect(props).to.have.nested.property("rollout.revisionId", latest);
    const { outs: updated } = await lifecycle.update(id, props, news, context());
    expect(updated).to.include({ ready: true, activeRevisionId: latest });
    expect(await test.revisions(id)).to.have.length(2);
  });

  it("shows no secret of the time before it in its failure", async () => {
    const first = await checked("main", { secrets: { KEY: "CANARY-before" } });
    const { id, outs } = await lifecycle.create(first, context());
    const reason = "seen CANARY-before";
    test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason });
    const news = await checked("main", { secrets: { KEY: "CANARY-after" } });
    const { message } = await rejection(lifecycle.update(id, outs, news, context()));
    expect(message).to.contain("| seen [secret]");
  });
});

describe("a revision that a push made and that failed", () => {
  let test: TestPlatform;
  beforeEach(async () => (test = await startTestPlatform()));
  afterEach(() => test.close());

  it("is reported at the refresh, at the next preview and in an output, until a newer one runs", async () => {
    const said: string[] = [];
    const context = () => contextOf(test.platform, said);
    const { sourceConfig, ...args } = gitArgs(test);
    const news = { ...args, sourceConfig: { ...sourceConfig, buildOnPush: true } };
    const { inputs = {} } = await lifecycle.check({}, news, context());
    const { id, outs } = await lifecycle.create(inputs, context());
    expect(outs["failedRevision"]).to.equal(null);
    const { repoUrl } = sourceConfig;
    const push = (digit: string) =>
      test.platform.admin.push({ repoUrl, ref: "main", sha: digit.repeat(40) });

    test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
    push("a");
    const failed = await test.untilRevision(id, "BUILD_FAILED");
    said.length = 0;
    const { props = {} } = await lifecycle.read(id, outs, context());
    const text = `revision ${failed.id} of main ended with BUILD_FAILED; a push or another client created it; revision ${String(outs["activeRevisionId"])} still serves`;
    expect(said).to.deep.equal([text]);
    expect(props["failedRevision"]).to.include({ id: failed.id, status: "BUILD_FAILED" });
    expect(props).to.include({ ready: true });
    expect(lifecycle.diff(id, props, inputs, context())).to.deep.equal({ changes: false });
    expect(said).to.deep.equal([text, text]);

    push("b");
    await test.untilRevision(id, "DEPLOYED");
    const { props: healed = {} } = await lifecycle.read(id, props, context());
    expect(healed["failedRevision"]).to.equal(null);
    lifecycle.diff(id, healed, inputs, context());
    expect(said).to.deep.equal([text, text]);
  });

  it("is not reported where it is the resource's own, which its failure does", async () => {
    const said: string[] = [];
    const context = () => contextOf(test.platform, said);
    const { inputs = {} } = await lifecycle.check({}, gitArgs(test), context());
    test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
    const { id, properties } = await initializationFailure(lifecycle.create(inputs, context()));
    expect(properties["failedRevision"]).to.include({ status: "BUILD_FAILED" });
    said.length = 0;
    await lifecycle.read(id, properties, context());
    expect(said).to.be.empty;
  });
});
