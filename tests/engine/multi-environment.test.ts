import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { Project } from "../../scripts/project";
import { commandsOf, makeRoot, type Root, type } from "../support/by-hand";
import { TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { describeLong } from "../support/tiers";

const README = "examples/multi-environment/README.md";
const STACKS = ["dev", "staging", "production"] as const;
const IMAGE = "registry.example.com/acme/support";

describeLong("the example of three environments, as its README says to type it", () => {
  let root: Root;
  let test: TestPlatform;
  let project: Project;
  let printed = "";

  const stack = (name: string) => TestStack.inFolder(project, name);
  const live = async (name: string) => test.get((await (await stack(name)).deployment()).id);
  const imageOf = async (name: string) => (await live(name)).source_revision_config.image_uri;
  const stateOf = (name: string) =>
    readFile(join(project.dir, `state/.pulumi/stacks/support-agent/${name}.json`), "utf8");
  const typeChapter = async (chapter: string) => {
    const [commands = ""] = await commandsOf(README, chapter);
    return type(commands, project.dir, project.environment);
  };

  before(async () => {
    root = await makeRoot();
    const dataDir = join(root.dir, ".agentserver");
    test = await startTestPlatform({ driver: "process", dataDir });
    const { url, apiKey, workspaceId } = test.platform;
    const dir = join(dataDir, "environments");
    const environment = {
      PULUMI_BACKEND_URL: `file://${join(dir, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "only-for-trying",
      AGENTSERVER_BASE_URL: url,
      AGENTSERVER_API_KEY: apiKey,
      AGENTSERVER_WORKSPACE_ID: workspaceId,
      // Node 20.20 takes half a minute to colour a stack trace that leads through Pulumi's own sources.
      NODE_OPTIONS: "--stack-trace-limit=1",
      // The first chapter checks the program's types, as it does for a user.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    };
    project = { dir, environment, remove: root.remove };
    const [, commands = ""] = await commandsOf(README, "Try it");
    printed = await type(commands, root.dir);
  });
  after(async () => {
    await test.close();
    await root.remove();
  });

  it("gives each environment a deployment of its own: ref, size, replicas and secret", async () => {
    const [dev, staging, production] = await Promise.all(STACKS.map(live));
    expect(new Set([dev?.name, staging?.name, production?.name]).size).to.equal(3);
    expect(dev?.source_revision_config.repo_ref).to.equal("main");
    expect(dev?.source_config).to.include({ deployment_type: "dev", build_on_push: true });
    expect(staging?.source_config.resource_spec).to.include({
      cpu: 0.5,
      memory_mb: 1024,
      min_scale: 1,
      max_scale: 2,
    });
    expect(production?.source_config.resource_spec).to.include({
      cpu: 2,
      memory_mb: 4096,
      min_scale: 3,
      max_scale: 10,
    });
    const levels = ["debug", "info", "warning"];
    for (const [at, deployment] of [dev, staging, production].entries())
      expect(deployment?.secrets).to.deep.equal([
        { name: "LOG_LEVEL", value: levels[at] },
        { name: "MODEL_API_KEY", value: `not-a-real-key-of-${STACKS[at]}` },
      ]);
  });

  it("keeps every secret out of the states and out of what is printed", async () => {
    expect(printed).to.contain("refs/tags/v1.4.0");
    for (const text of [printed, ...(await Promise.all(STACKS.map(stateOf)))])
      for (const hidden of ["not-a-real-key", test.platform.apiKey])
        expect(text).not.to.contain(hidden);
  });

  it("does not promote a tag that failed on staging", async () => {
    const staging = await stack("staging");
    await staging.configure({ ref: { value: "refs/tags/v1.5.0" } });
    test.platform.admin.addOutcome({ stage: "deploy", status: "DEPLOY_FAILED", reason: "died" });
    expect((await staging.up({ continueOnError: true })).ok).to.equal(false);
    expect((await (await stack("production")).preview()).changes).to.include({ same: 2 });
  });

  it("promotes a tag once staging runs it, and the preview of production says so", async () => {
    const commands = await typeChapter("Promote a release");
    const [, production = ""] = commands.split("Previewing update (production)");
    expect(production).to.contain("an update creates a new revision: imageUri");
    expect(await imageOf("staging")).to.equal(`${IMAGE}:v1.5.0`);
    expect(await imageOf("production")).to.equal(`${IMAGE}:v1.5.0`);
  });

  it("builds a tag from git where no image is named, as a cloud control plane does", async () => {
    const repository = join(test.dataDir, "environments-agent");
    await type(`git -C ${repository} tag v1.5.0`, root.dir);
    const cloud = await stack("cloud");
    await cloud.configure({
      promoteFrom: { value: "staging" },
      repoUrl: { value: `file://${repository}` },
      deploymentType: { value: "prod" },
      logLevel: { value: "info" },
      modelApiKey: { value: "not-a-real-key-of-cloud", secret: true },
    });
    const { ok, text } = await cloud.up();
    expect(ok, text).to.equal(true);
    expect((await cloud.outputs())["release"]?.value).to.equal("refs/tags/v1.5.0");
    const { source_config: config, source_revision_config: revision } = await live("cloud");
    expect(revision.repo_ref).to.equal("refs/tags/v1.5.0");
    expect(config).to.include({ deployment_type: "prod", build_on_push: false });
    await cloud.destroy();
  });

  it("destroys production only after its protection was taken off", async () => {
    const { ok, text } = await (await stack("production")).destroy();
    expect(ok).to.equal(false);
    expect(text).to.contain("because it is protected");
    await typeChapter("Take everything away");
    expect(await test.deployments()).to.be.empty;
  });

  it("says what comes first when staging runs nothing", async () => {
    const { ok, text } = await (await stack("production")).up();
    expect(ok).to.equal(false);
    expect(text).to.contain("staging runs no release: `pulumi up --stack staging` first");
  });
});
