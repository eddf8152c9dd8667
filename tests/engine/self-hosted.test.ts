import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { useExample } from "../support/by-hand";
import { describeLong } from "../support/tiers";

describeLong("the example of a self-hosted installation, as its README says to type it", () => {
  const example = useExample("self-hosted", "self-hosted", { hosting: "self-hosted" });
  const deployment = async (name: string) => {
    const found = (await example().test.deployments()).find((one) => one.name.startsWith(name));
    if (!found) throw new Error(`no deployment of ${name}`);
    return found;
  };

  it("creates one listener with the namespaces of all agents, places each in its own, and shows no secret", async () => {
    const { dir, printed, test } = example();
    const [listener, ...others] = await test.listeners();
    expect(others).to.be.empty;
    expect(listener?.compute_config).to.deep.equal({ k8s_namespaces: ["support", "triage"] });
    for (const name of ["support", "triage"])
      expect((await deployment(name)).source_config).to.deep.include({
        listener_id: listener?.id,
        listener_config: { k8s_namespace: name },
      });
    const state = join(dir, "state/.pulumi/stacks/self-hosted/production.json");
    expect(printed).to.contain("+ 4 created");
    expect(printed + (await readFile(state, "utf8"))).not.to.contain("not-a-real-key");
  });

  it("releases one agent in one revision, leaves the other alone, and is taken away", async () => {
    const { blocks, test, typed } = example();
    const released = await typed(blocks[2] ?? "");
    expect(released).to.contain("an update creates a new revision: imageUri");
    expect(released).to.contain("~ 1 updated").and.contain("3 unchanged");
    const { id, source_revision_config: code } = await deployment("triage");
    expect(code.image_uri).to.equal("registry.example.com/acme/triage:0.9.3");
    expect(await test.revisions(id)).to.have.length(2);
    expect(await typed(blocks[3] ?? "")).to.contain("- 4 deleted");
    expect([await test.deployments(), await test.listeners()]).to.deep.equal([[], []]);
  });
});
