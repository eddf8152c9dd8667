import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { expectDone } from "../support/run";
import { blocksOf, useExample } from "../support/by-hand";
import { TestStack } from "../support/engine";
import { describeLong } from "../support/tiers";

const STACKS = ["dev", "staging", "production"] as const;

describeLong("the example of three environments, as its README says to type it", () => {
  const example = useExample("multi-environment", "environments", { driver: "process" });
  const stack = (name: string) => {
    const { dir, root, environment } = example();
    // Node 20.20 takes half a minute to colour a stack trace that leads through Pulumi's own sources.
    const quick = { ...environment, NODE_OPTIONS: "--stack-trace-limit=1" };
    return TestStack.inFolder({ dir, environment: quick, remove: root.remove }, name);
  };
  const live = async (name: string) =>
    example().test.get((await (await stack(name)).deployment()).id);
  const typeChapter = async (chapter: string) => {
    const [commands = ""] = await blocksOf("examples/multi-environment/README.md", chapter);
    return example().typed(commands);
  };

  it("gives each environment a deployment of its own: ref, size, replicas and a secret that shows nowhere", async () => {
    const { dir, printed, test } = example();
    const [dev, staging, production] = await Promise.all(STACKS.map(live));
    expect(new Set([dev?.name, staging?.name, production?.name]).size).to.equal(3);
    expect(dev?.source_revision_config.repo_ref).to.equal("main");
    expect(dev?.source_config).to.include({ deployment_type: "dev", build_on_push: true });
    for (const [deployment, sizes] of [
      [staging, { cpu: 0.5, memory_mb: 1024, min_scale: 1, max_scale: 2 }],
      [production, { cpu: 2, memory_mb: 4096, min_scale: 3, max_scale: 10 }],
    ] as const)
      expect(deployment?.source_config.resource_spec).to.include(sizes);
    for (const [at, deployment] of [dev, staging, production].entries())
      expect(deployment?.secrets).to.deep.equal([
        { name: "LOG_LEVEL", value: ["debug", "info", "warning"][at] },
        { name: "MODEL_API_KEY", value: `not-a-real-key-of-${STACKS[at]}` },
      ]);
    const stateOf = (name: string) =>
      readFile(join(dir, `state/.pulumi/stacks/support-agent/${name}.json`), "utf8");
    for (const text of [printed, ...(await Promise.all(STACKS.map(stateOf)))])
      for (const hidden of ["not-a-real-key", test.platform.apiKey])
        expect(text).not.to.contain(hidden);
  });

  it("does not promote a tag that failed on staging, and does once staging runs it", async () => {
    const staging = await stack("staging");
    await staging.configure({ ref: { value: "refs/tags/v1.5.0" } });
    example().test.fails("DEPLOY_FAILED", "died");
    expect((await staging.up()).ok).to.equal(false);
    expect((await (await stack("production")).preview()).changes).to.include({ same: 2 });
    const commands = await typeChapter("Promote a release");
    const [, production = ""] = commands.split("Previewing update (production)");
    expect(production).to.contain("an update creates a new revision: imageUri");
    for (const name of ["staging", "production"])
      expect((await live(name)).source_revision_config.image_uri).to.equal(
        "registry.example.com/acme/support:v1.5.0",
      );
  });

  it("builds a tag from git where no image is named, as a cloud control plane does", async () => {
    const repository = join(example().test.dataDir, "environments-agent");
    await example().typed(`git -C ${repository} tag v1.5.0`);
    const cloud = await stack("cloud");
    await cloud.configure({
      promoteFrom: { value: "staging" },
      repoUrl: { value: `file://${repository}` },
      deploymentType: { value: "prod" },
      logLevel: { value: "info" },
      modelApiKey: { value: "not-a-real-key-of-cloud", secret: true },
    });
    await expectDone(cloud.up());
    const { source_config: config, source_revision_config: revision } = await live("cloud");
    expect(revision.repo_ref).to.equal("refs/tags/v1.5.0");
    expect(config).to.include({ deployment_type: "prod", build_on_push: false });
    await cloud.destroy();
  });

  it("destroys production only after its protection was taken off, and says what comes first then", async () => {
    const production = await stack("production");
    expect((await production.destroy()).text).to.contain("because it is protected");
    await typeChapter("Take everything away");
    expect(await example().test.deployments()).to.be.empty;
    const { ok, text } = await production.up();
    expect(ok).to.equal(false);
    expect(text).to.contain("staging runs no release: `pulumi up --stack staging` first");
  });
});
