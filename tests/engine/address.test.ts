import { expect } from "chai";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";
import { describeNightly } from "../support/tiers";

describeNightly("a control plane's address and workspace, on the real engine", () => {
  let test: TestPlatform;
  let stack: TestStack;
  let id = "";

  const moved = () => test.platform.url.replace("127.0.0.1", "localhost");
  const declare = (repoRef: string) => {
    const sourceRevisionConfig = { repoRef, graphConfigPath: "langgraph.json" };
    stack.program = supportProgram({ ...gitArgs(test), sourceRevisionConfig });
  };

  before(async () => {
    test = await startTestPlatform();
    stack = await TestStack.create(settingsFor(test.platform), async () => undefined);
    declare("main");
    await stack.up();
    ({ id } = await stack.deployment());
  });
  after(async () => {
    await stack.remove();
    await test.close();
  });

  it("change nothing when the same deployment of the same tenant answers at a new address", async () => {
    await stack.configure({ "agentserver:baseUrl": { value: moved() } });
    expect((await stack.up()).changes).to.deep.equal({ same: 2 });
    expect((await stack.refresh()).ok).to.equal(true);
    expect((await stack.deployment()).outputs).to.include({ baseUrl: moved() });
    declare("next");
    expect((await stack.up()).changes).to.deep.equal({ same: 1, update: 1 });
    expect((await stack.deployment()).id).to.equal(id);
  });

  it("never take a deployment of another workspace for deleted: the refresh fails and the state stays", async () => {
    const other = test.platform.admin.addWorkspace("other");
    await stack.configure({
      "agentserver:workspaceId": { value: other.workspaceId },
      "agentserver:apiKey": { value: other.apiKey, secret: true },
    });
    await stack.up();
    const refresh = await stack.refresh();
    expect(refresh.ok).to.equal(false);
    expect(refresh.text)
      .to.contain(`records it at ${moved()} in workspace ${test.platform.workspaceId}`)
      .and.contain(`workspace ${other.workspaceId}`)
      .and.contain("nothing was changed");
    expect((await stack.destroy()).ok).to.equal(false);
    expect((await stack.deployment()).id).to.equal(id);
    expect((await test.get(id)).status).to.equal("READY");
  });

  it("destroy it from where it was moved to", async () => {
    await stack.configure({
      ...settingsFor(test.platform),
      "agentserver:baseUrl": { value: moved() },
    });
    expect((await stack.up()).changes).to.deep.equal({ same: 2 });
    const { ok, text } = await stack.destroy();
    expect(ok, text).to.equal(true);
    expect((await test.request("GET", `/v2/deployments/${id}`)).status).to.equal(404);
  });
});
