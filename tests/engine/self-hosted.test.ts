import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { Deployment } from "../../sdk/schema";
import { commandsOf, makeRoot, type Root, type } from "../support/by-hand";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { describeLong } from "../support/tiers";

const README = "examples/self-hosted/README.md";

describeLong("the example of a self-hosted installation, as its README says to type it", () => {
  let root: Root;
  let test: TestPlatform;
  let blocks: readonly string[] = [];
  let printed = "";

  const dir = () => join(root.dir, ".agentserver/self-hosted");
  const typed = (block: number) => {
    const { url, apiKey, workspaceId } = test.platform;
    return type(blocks[block] ?? "", dir(), {
      PULUMI_BACKEND_URL: `file://${join(dir(), "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "only-for-trying",
      AGENTSERVER_BASE_URL: url,
      AGENTSERVER_API_KEY: apiKey,
      AGENTSERVER_WORKSPACE_ID: workspaceId,
      // The block before checks the program's types, as it does for a user.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    });
  };
  const deployment = async (name: string): Promise<Deployment> => {
    const found = (await test.deployments()).find((one) => one.name.startsWith(name));
    if (!found) throw new Error(`no deployment of ${name}`);
    return found;
  };

  before(async () => {
    root = await makeRoot();
    const dataDir = join(root.dir, ".agentserver");
    test = await startTestPlatform({ dataDir, hosting: "self-hosted" });
    blocks = await commandsOf(README, "Try it");
    printed = await type(blocks[1] ?? "", root.dir);
  });
  after(async () => {
    await test.close();
    await root.remove();
  });

  it("creates one listener with the namespaces of all agents, and places each in its own", async () => {
    const [listener, ...others] = await test.listeners();
    expect(others).to.be.empty;
    expect(listener?.compute_config).to.deep.equal({ k8s_namespaces: ["support", "triage"] });
    for (const name of ["support", "triage"])
      expect((await deployment(name)).source_config).to.deep.include({
        listener_id: listener?.id,
        listener_config: { k8s_namespace: name },
      });
  });

  it("prints no secret, and keeps none in clear in the state", async () => {
    expect(printed).to.contain("+ 4 created").and.not.to.contain("not-a-real-key");
    const state = join(dir(), "state/.pulumi/stacks/self-hosted/production.json");
    expect(await readFile(state, "utf8")).not.to.contain("not-a-real-key");
  });

  it("releases one agent in one revision, says so before, and leaves the other alone", async () => {
    const other = (await deployment("support")).latest_revision_id;
    const released = await typed(2);
    expect(released).to.contain("an update creates a new revision: imageUri");
    expect(released).to.contain("~ 1 updated").and.contain("3 unchanged");
    const { id, source_revision_config: code } = await deployment("triage");
    expect(code.image_uri).to.equal("registry.example.com/acme/triage:0.9.3");
    expect(await test.revisions(id)).to.have.length(2);
    expect((await deployment("support")).latest_revision_id).to.equal(other);
  });

  it("is taken away: the deployments, and then the listener that placed them", async () => {
    expect(await typed(3)).to.contain("- 4 deleted");
    expect([await test.deployments(), await test.listeners()]).to.deep.equal([[], []]);
  });
});
