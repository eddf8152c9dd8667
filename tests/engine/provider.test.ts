import { expect } from "chai";
import { Deployment, Provider } from "pulumi-agentserver";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs } from "../support/program";

describe("several providers in one program, on the real engine", () => {
  let here: TestPlatform;
  let there: TestPlatform;
  let stack: TestStack;

  const names = async (platform: TestPlatform) => {
    const { body } = await platform.request("GET", "/v2/deployments");
    return Array.from<{ name: string }>(Object(body).resources).map(({ name }) => name);
  };
  const declare = (apiKey: string) => {
    stack.program = async () => {
      const { url: baseUrl, workspaceId } = there.platform;
      const provider = new Provider("there", {
        baseUrl,
        apiKey,
        workspaceId,
        requestTimeoutSeconds: 5,
      });
      const own = new Deployment("own", { ...gitArgs(here), name: "own" });
      const far = new Deployment("far", { ...gitArgs(there), name: "far" }, { provider });
      return { own: own.baseUrl, far: far.baseUrl };
    };
  };

  before(async () => {
    [here, there] = await Promise.all([startTestPlatform(), startTestPlatform()]);
    stack = await TestStack.create(settingsFor(here.platform), async () => undefined);
  });
  after(async () => {
    await stack.remove();
    await Promise.all([here.close(), there.close()]);
  });

  it("each deploy to their own control plane", async () => {
    declare(there.platform.apiKey);
    const { ok, text } = await stack.up();
    expect(ok, text).to.equal(true);
    const outputs = await stack.outputs();
    expect(outputs["own"]?.value).to.equal(here.platform.url);
    expect(outputs["far"]?.value).to.equal(there.platform.url);
    expect(await names(here)).to.deep.equal(["own"]);
    expect(await names(there)).to.deep.equal(["far"]);
  });

  it("leave no key in the state file, and change nothing when a key is another one", async () => {
    expect(await stack.stateFiles()).not.to.contain(there.platform.apiKey);
    declare("another-key");
    const { changes } = await stack.preview();
    expect(changes).to.include({ same: 3 });
    expect(changes).not.to.have.any.keys("create", "replace", "delete");
    declare(there.platform.apiKey);
  });

  it("each destroy what is theirs", async () => {
    const { ok, text } = await stack.destroy();
    expect(ok, text).to.equal(true);
    expect([await names(here), await names(there)]).to.deep.equal([[], []]);
  });
});
