import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import type { Props } from "../../../provider/arguments/props";
import { contextOf } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { initializationFailure } from "../../support/rejection";

describe("what a command that was killed has left", () => {
  let test: TestPlatform;
  let said: string[] = [];
  beforeEach(async () => {
    said = [];
    test = await startTestPlatform();
  });
  afterEach(() => test.close());

  const context = () => contextOf(test.platform, said);
  const declared = async (more: Props = {}, config: Props = {}): Promise<Props> => {
    const { sourceConfig, ...args } = gitArgs(test);
    const news = { ...args, sourceConfig: { ...sourceConfig, ...config }, ...more };
    return (await lifecycle.check({}, news, context())).inputs ?? {};
  };
  /** The outputs and inputs that a refresh puts into the state. */
  const refreshed = async (id: string, outs: Props) => {
    const { props = {}, inputs = {} } = await lifecycle.read(id, outs, context());
    return { props, inputs };
  };

  describe("of an update", () => {
    const update = { secrets: [{ name: "A", value: "2" }] };
    const killed = async () => {
      const { id, outs } = await lifecycle.create(
        await declared({ name: "a", env: { A: "1" } }),
        context(),
      );
      return { id, outs, news: await declared({ name: "a", env: { A: "2" } }) };
    };

    it("is not ready after a refresh when its revision has failed, and is made once more", async () => {
      const { id, outs, news } = await killed();
      test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
      await test.request("PATCH", `/v2/deployments/${id}`, update);
      await test.untilRevision(id, "BUILD_FAILED");
      const { props } = await refreshed(id, outs);
      expect(props).to.include({ ready: false });
      expect(lifecycle.diff(id, props, news, context())).to.deep.equal({ changes: true });
      const { outs: updated } = await lifecycle.update(id, props, news, context());
      expect(updated).to.include({ ready: true });
      expect(await test.revisions(id)).to.have.length(3);
    });

    it("is waited for after a refresh while its revision is going on, and made no second time", async () => {
      const { id, outs, news } = await killed();
      test.platform.admin.addFault({
        match: { method: "GET", path: `/v2/deployments/${id}/revisions/*` },
        action: "status",
        status: 404,
        times: 1,
      });
      await test.request("PATCH", `/v2/deployments/${id}`, update);
      const { props } = await refreshed(id, outs);
      const { latest_revision_id: latest } = await test.get(id);
      expect(props).to.have.nested.property("rollout.revisionId", latest);
      const { outs: updated } = await lifecycle.update(id, props, news, context());
      expect(updated).to.include({ ready: true, activeRevisionId: latest });
      expect(await test.revisions(id)).to.have.length(2);
    });
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
