import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { contextOf } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { rejection } from "../../support/rejection";

describe("a create after one that left no record", () => {
  let test: TestPlatform;
  let said: string[] = [];
  beforeEach(async () => {
    said = [];
    test = await startTestPlatform();
  });
  afterEach(() => test.close());

  const context = () => contextOf(test.platform, said);
  const checked = async (more = {}) => {
    const declared = { ...gitArgs(test), wait: { timeoutSeconds: 10 }, ...more };
    return (await lifecycle.check({}, declared, context())).inputs ?? {};
  };
  const create = async (more = {}) => lifecycle.create(await checked(more), context());
  const revisions = async (id: string): Promise<number> =>
    Object((await test.request("GET", `/v2/deployments/${id}/revisions`)).body).resources.length;

  it("comes to the same deployment while the other still runs", async () => {
    const [one, other] = await Promise.all([create(), create()]);
    expect(one.id).to.equal(other.id);
    expect(Object((await test.request("GET", "/v2/deployments")).body).resources).to.have.length(1);
    expect(await revisions(one.id)).to.equal(1);
  });

  it("sends what changed since and makes no revision", async () => {
    const { id } = await create();
    const { sourceConfig } = gitArgs(test);
    const { outs } = await create({ sourceConfig: { ...sourceConfig, buildOnPush: true } });
    expect(outs).to.have.nested.property("sourceConfig.buildOnPush", true);
    expect((await test.get(id)).source_config.build_on_push).to.equal(true);
    expect(test.platform.admin.requests()).to.include({ [`PATCH /v2/deployments/${id}`]: 1 });
    expect(await revisions(id)).to.equal(1);
  });

  it("reports the failure of the first revision, which the next update follows up", async () => {
    test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
    const first = await rejection(create());
    const second = await rejection(create());
    expect(second).to.have.property("id", Object(first).id);
    expect(second).to.have.nested.property("properties.rollout.state", "failed");
    expect(said.join()).to.contain(`takes over deployment ${Object(first).id}`);
  });
});
