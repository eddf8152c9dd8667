import { ComponentResource, rootStackResource } from "@pulumi/pulumi";
import { expect } from "chai";
import { describeFrontEnds, DYNAMIC } from "../support/front-ends";
import { useStack } from "../support/engine";
import { gitArgs, programOf } from "../support/program";
import { expectDone, type Run } from "../support/run";

describeFrontEnds("renaming", "long", "nightly", (frontEnd) => {
  const { Deployment, Provider } = frontEnd.sdk;
  let id = "";

  /** The deployment that was `support`, under its new name. */
  const declare = (level: string) => {
    const args = { ...gitArgs(test), env: { LOG_LEVEL: level } };
    stack.program = programOf({
      helpdesk: { args, options: { aliases: [{ name: "support" }] } },
    });
  };

  const { test, stack } = useStack({ frontEnd }, async () => {
    const support = { args: { ...gitArgs(test), env: { LOG_LEVEL: "info" } } };
    stack.program = programOf({ support });
    await stack.up();
    ({ id } = await stack.deployment());
  });

  it("shows nothing for a resource that has its old name as an alias, and for another name of the stack and of the project", async () => {
    declare("info");
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
    await stack.rename("production", "store");
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
  });

  it("updates in place afterwards, under the name that was derived at first", async () => {
    declare("debug");
    const { steps } = await expectDone(stack.up());
    expect(steps).to.deep.equal({ helpdesk: "update" });
    const { inputs, outputs } = await stack.deployment();
    if (frontEnd === DYNAMIC)
      expect(inputs["__urn"]).to.equal(stack.urn("helpdesk")).and.equal(outputs["__urn"]);
    const live = await test.get(id);
    expect(live.name)
      .to.match(/^support-test-[0-9a-f]{7}$/)
      .and.equal(outputs["name"]);
    expect(live.secrets).to.deep.equal([{ name: "LOG_LEVEL", value: "debug" }]);
  });

  it("shows nothing when it moves into a component, and knows its URN there at the next change", async () => {
    let level = "debug";
    stack.program = async () => {
      const parent = new ComponentResource("test:index:Team", "team");
      const args = { ...gitArgs(test), env: { LOG_LEVEL: level } };
      const options = { parent, aliases: [{ parent: rootStackResource }] };
      return { id: new Deployment("helpdesk", args, options).id };
    };
    expect((await stack.preview()).changes).to.deep.equal({ same: 2, create: 1 });
    level = "warn";
    const { steps } = await expectDone(stack.up());
    expect(steps).to.deep.equal({ helpdesk: "update" });
    const { inputs } = await stack.deployment();
    const urn = stack.urn("helpdesk").replace("::pulumi-nodejs", "::test:index:Team$pulumi-nodejs");
    if (frontEnd === DYNAMIC) expect(inputs["__urn"]).to.equal(urn);
  });

  it("leaves nothing of what it replaces in the same run", async () => {
    const parent = "urn:pulumi:production::store::test:index:Team::team";
    const aliases = [{ name: "helpdesk", parent }];
    const args = { ...gitArgs(test), name: "moved" };
    stack.program = programOf({ moved: { args, options: { aliases } } });
    await expectDone(stack.up());
    expect((await test.deployments()).map(({ name }) => name)).to.deep.equal(["moved"]);
  });

  describe("without an alias", () => {
    let before = "";
    const given = () => ({ ...gitArgs(test), name: "given", adoptExisting: true });
    const team = () => new ComponentResource("test:index:Team", "team");

    const stays = async (run: Run) => {
      expect(run.ok, run.text).to.equal(true);
      expect((await stack.deployments()).map((deployment) => deployment.id)).to.deep.equal([
        before,
      ]);
      expect((await test.get(before)).status).to.equal("READY");
    };

    it("keeps its deployment, which is not deleted, where it has a name and adoptExisting", async () => {
      stack.program = programOf({ support: { args: given() } });
      await stack.up();
      before = (await stack.deployment()).id;
      stack.program = async () => ({
        url: new Deployment("support", given(), { parent: team() }).url,
      });
      const run = await stack.up();
      expect(run.messages.join()).to.contain(`keeps deployment ${before}: it belongs to urn:`);
      await stays(run);
    });

    it("needs an alias where the component brings a provider of its own: with it the deployment stays, also at another address of the control plane", async () => {
      const { url, apiKey, workspaceId } = test.platform;
      stack.program = async () => {
        const baseUrl = url.replace("127.0.0.1", "localhost");
        const eu = new Provider("eu", { baseUrl, apiKey, workspaceId });
        const providers = { "pulumi-nodejs": eu };
        const parent = new ComponentResource("test:index:Desk", "desk", {}, { providers });
        const aliases = [{ parent: team() }];
        return { url: new Deployment("support", given(), { parent, aliases }).url };
      };
      await stays(await stack.up());
    });
  });
});
