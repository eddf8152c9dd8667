import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { contextOf } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { rejection } from "../../support/rejection";

describe("an update after one that left no record", () => {
  let test: TestPlatform;
  let said: string[] = [];
  beforeEach(async () => {
    said = [];
    test = await startTestPlatform();
  });
  afterEach(() => test.close());

  const context = () => contextOf(test.platform, said);
  const checked = async (repoRef: string) => {
    const sourceRevisionConfig = { repoRef, graphConfigPath: "langgraph.json" };
    const declared = { ...gitArgs(test), sourceRevisionConfig };
    return (await lifecycle.check({}, declared, context())).inputs ?? {};
  };
  const fails = () => {
    test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
  };
  const revisions = async (id: string): Promise<number> =>
    Object((await test.request("GET", `/v2/deployments/${id}/revisions`)).body).resources.length;
  /** A deployment whose first revision failed, as the state holds it. */
  const afterFailure = async () => {
    fails();
    const failure = await rejection(lifecycle.create(await checked("main"), context()));
    return { id: String(Object(failure).id), olds: Object(Object(failure).properties) };
  };

  it("follows the revision that was made after a failed one, and says that it makes none", async () => {
    const { id, olds } = await afterFailure();
    const news = await checked("main");
    await lifecycle.update(id, olds, news, context());
    const { outs } = await lifecycle.update(id, olds, news, context());
    const { latest_revision_id: latest } = await test.get(id);
    expect(outs).to.deep.include({ rollout: { revisionId: latest, state: "done" } });
    expect(await revisions(id)).to.equal(2);
    expect(said.join()).to.contain(`revision ${latest} came after the failed one`);
  });

  it("makes one new revision when the one after a failed one failed too", async () => {
    const { id, olds } = await afterFailure();
    const news = await checked("main");
    fails();
    await rejection(lifecycle.update(id, olds, news, context()));
    await lifecycle.update(id, olds, news, context());
    expect(await revisions(id)).to.equal(3);
  });
});
