import { ComponentResource, secret } from "@pulumi/pulumi";
import { expect } from "chai";
import type { Provider } from "pulumi-agentserver";
import { expectDone } from "../support/run";
import { describeFrontEnds } from "../support/front-ends";
import { settingsFor, TestStack } from "../support/engine";
import { type TestPlatform, usePlatform } from "../support/platform";
import { gitArgs } from "../support/program";

describeFrontEnds("functions", "short", "nightly", (frontEnd) => {
  const { Deployment, Provider: OurProvider } = frontEnd.sdk;
  const { getDeployment, getDeploymentOutput, getIntegrationOutput, listRevisionsOutput } =
    frontEnd.sdk;
  const here = usePlatform();
  const there = usePlatform();
  let stack: TestStack;
  let idHere: string;
  let idThere: string;

  const providerThere = (apiKey = there.platform.apiKey) => {
    const { url: baseUrl, workspaceId } = there.platform;
    return new OurProvider("there", { baseUrl, apiKey, workspaceId });
  };

  before(async () => {
    idHere = (await here.create({ name: "shared" })).id;
    idThere = (await there.create({ name: "shared" })).id;
    stack = await TestStack.create(settingsFor(here.platform), async () => undefined, frontEnd);
  });
  after(() => stack.remove());

  describe("in a program that creates a deployment and reads others", () => {
    /** What they give: `own` is the deployment of the program. */
    const found = (own: { readonly id: string; readonly name: string }) => ({
      plainHere: idHere,
      plainThere: idThere,
      plainInherited: idThere,
      far: idThere,
      farRevisions: 1,
      ownById: own.name,
      ownByName: own.id,
      ownAfter: own.id,
      ownAfterParent: own.id,
    });

    before(() => {
      stack.program = async () => {
        const provider = providerThere();
        const component = new ComponentResource("test:index:Team", "team", {}, { provider });
        const { id: integrationId } = getIntegrationOutput();
        const args = gitArgs(here);
        const sourceConfig = { ...args.sourceConfig, integrationId };
        const desk = new ComponentResource("test:index:Desk", "desk");
        const inner = new ComponentResource("test:index:Drawer", "drawer", {}, { parent: desk });
        const named = { ...args, name: "own", sourceConfig };
        const own = new Deployment("own", named, { parent: inner });
        new Deployment("away", { ...gitArgs(there), name: "away" }, { provider });
        const far = getDeploymentOutput({ name: "shared" }, { provider });
        return {
          plainHere: (await getDeployment({ name: "shared" })).id,
          plainThere: (await getDeployment({ name: "shared" }, { provider })).id,
          plainInherited: (await getDeployment({ name: "shared" }, { parent: component })).id,
          far: far.id,
          farRevisions: listRevisionsOutput({ deploymentId: far.id }, { provider }).length,
          ownById: getDeploymentOutput({ id: own.id }).name,
          ownByName: getDeploymentOutput({ name: own.name }).id,
          ownAfter: getDeploymentOutput({ name: "own" }, { dependsOn: own }).id,
          ownAfterParent: getDeploymentOutput({ name: "own" }, { dependsOn: desk }).id,
          hidden: getDeploymentOutput({ name: secret("shared") }).id,
        };
      };
    });

    it("previews as unknown what is not there yet, and everything else as it is", async () => {
      const { text, changes } = await expectDone(stack.preview());
      expect(changes).to.deep.equal({ create: 7 });
      expect(shown(text)).to.deep.equal({
        ...found({ id: "[unknown]", name: "[unknown]" }),
        farRevisions: "1",
        hidden: "[secret]",
      });
    });

    it("finds what the update has just made, and keeps secret only what was asked with a secret", async () => {
      await expectDone(stack.up());
      const outputs = await stack.outputs();
      const { id } = await stack.deployment("own");
      const open = Object.entries(found({ id, name: "own" }));
      expect(outputs).to.deep.equal({
        ...Object.fromEntries(open.map(([name, value]) => [name, { value, secret: false }])),
        hidden: { value: idHere, secret: true },
      });
      expect(await stack.stateFiles()).not.to.contain(there.platform.apiKey);
    });

    it("has deployed to the control plane of the provider, and changes nothing when its key is another one", async () => {
      const namesOn = async (test: TestPlatform) =>
        (await test.deployments()).map(({ name }) => name);
      expect(await namesOn(here)).to.have.members(["shared", "own"]);
      expect(await namesOn(there)).to.have.members(["shared", "away"]);
      stack.program = async () => {
        const provider = providerThere("another-key");
        new Deployment("away", { ...gitArgs(there), name: "away" }, { provider });
      };
      const { steps, text } = await stack.preview();
      expect(steps["away"], text).to.equal("same");
    });
  });

  it("of a provider whose settings are not known yet preview as unknown, and fail in the plain form", async () => {
    const lookingWith = (look: (provider: Provider) => unknown) => async () => {
      const { tenantId: workspaceId } = new Deployment("new", { ...gitArgs(here), name: "new" });
      const { url: baseUrl, apiKey } = here.platform;
      return { found: await look(new OurProvider("later", { baseUrl, apiKey, workspaceId })) };
    };
    const name = "shared";
    stack.program = lookingWith((provider) => getDeploymentOutput({ name }, { provider }).id);
    const { text } = await expectDone(stack.preview());
    expect(shown(text)).to.include({ found: "[unknown]" });
    stack.program = lookingWith((provider) => getDeployment({ name }, { provider }));
    const plain = await stack.preview();
    expect(plain.ok).to.equal(false);
    expect(plain.text).to.contain("known only during the update; use getDeploymentOutput");
  });

  it("ask nobody where the stack forbids default providers", async () => {
    const forbidding = { "pulumi:disable-default-providers": { value: '["*"]' } };
    const config = { ...settingsFor(here.platform), ...forbidding };
    const strict = await stack.beside("strict", config, async () => {
      await getDeployment({ name: "shared" });
    });
    here.platform.admin.clearRequests();
    const { ok, text } = await strict.preview();
    expect(ok).to.equal(false);
    expect(text).to.match(/disable-default-providers|Default provider for 'agentserver' disabled/);
    expect(here.platform.admin.requests()).to.deep.equal({});
  });
});

/** The stack's outputs as the engine printed them, by name. */
function shown(text: string): Record<string, string> {
  const lines = text.matchAll(/^ +[+~-]? *(\w+) *: "?([^"\n]*)"?$/gm);
  return Object.fromEntries([...lines].map(([, name = "", value = ""]) => [name, value]));
}
