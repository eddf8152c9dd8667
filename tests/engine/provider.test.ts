import { expect } from "chai";
import { DeploymentsList } from "../../sdk/schema";
import { describeFrontEnds } from "../support/front-ends";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs } from "../support/program";
import { parsed } from "../support/values";

describeFrontEnds(
  "several providers in one program, on the real engine",
  (frontEnd) => {
    const { Deployment, Provider } = frontEnd.sdk;
    let here: TestPlatform;
    let there: TestPlatform;
    let stack: TestStack;
    let beside: { workspaceId: string; apiKey: string };

    const names = async (platform: TestPlatform, headers = {}) => {
      const { body } = await platform.request("GET", "/v2/deployments", undefined, headers);
      return parsed(DeploymentsList, body).resources.map(({ name }) => name);
    };
    const declare = (apiKey: string) => {
      stack.program = async () => {
        const { url: baseUrl, workspaceId } = there.platform;
        const provider = new Provider("there", {
          baseUrl,
          apiKey,
          workspaceId,
          requestTimeoutSeconds: 60,
        });
        const aside = new Provider("aside", { baseUrl: here.platform.url, ...beside });
        const own = new Deployment("own", { ...gitArgs(here), name: "own" });
        const far = new Deployment("far", { ...gitArgs(there), name: "far" }, { provider });
        const sourceRevisionConfig = { imageUri: "registry.example.com/acme/agent:1" };
        const args = {
          name: "second",
          source: "external_container",
          sourceRevisionConfig,
        } as const;
        const second = new Deployment("second", args, { provider: aside });
        return { own: own.baseUrl, far: far.baseUrl, second: second.tenantId };
      };
    };

    before(async () => {
      [here, there] = await Promise.all([startTestPlatform(), startTestPlatform()]);
      beside = here.platform.admin.addWorkspace("beside");
      stack = await TestStack.create(settingsFor(here.platform), async () => undefined, frontEnd);
    });
    after(async () => {
      await stack.remove();
      await Promise.all([here.close(), there.close()]);
    });

    const namesBeside = () =>
      names(here, { "X-Api-Key": beside.apiKey, "X-Tenant-Id": beside.workspaceId });

    it("each deploy to their own control plane, and their own workspace of it", async () => {
      declare(there.platform.apiKey);
      const { ok, text } = await stack.up();
      expect(ok, text).to.equal(true);
      const outputs = await stack.outputs();
      expect(outputs["own"]?.value).to.equal(here.platform.url);
      expect(outputs["far"]?.value).to.equal(there.platform.url);
      expect(await names(here)).to.deep.equal(["own"]);
      expect(await names(there)).to.deep.equal(["far"]);
      expect(outputs["second"]?.value).to.equal(beside.workspaceId);
      expect(await namesBeside()).to.deep.equal(["second"]);
    });

    it("leave no key in the state file, and change nothing when a key is another one", async () => {
      expect(await stack.stateFiles()).not.to.contain(there.platform.apiKey);
      expect(await stack.stateFiles()).not.to.contain(beside.apiKey);
      declare("another-key");
      const { changes } = await stack.preview();
      expect(changes).to.include({ same: 5 });
      expect(changes).not.to.have.any.keys("create", "replace", "delete");
      declare(there.platform.apiKey);
    });

    it("each destroy what is theirs", async () => {
      const { ok, text } = await stack.destroy();
      expect(ok, text).to.equal(true);
      expect([await names(here), await names(there), await namesBeside()]).to.deep.equal([
        [],
        [],
        [],
      ]);
    });
  },
  { dynamic: "nightly", native: "nightly" },
);
