import { expect } from "chai";
import { settingsFor, TestStack } from "../support/engine";
import { anImageDeployment, startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";

describe("creating on the real engine", () => {
  let test: TestPlatform;
  let stack: TestStack;

  const live = async () => {
    const { body } = await test.request("GET", "/v2/deployments");
    return Array.from<{ id: string; name: string }>(Object(body).resources);
  };

  beforeEach(async () => {
    test = await startTestPlatform();
    stack = await TestStack.create(settingsFor(test.platform), supportProgram(gitArgs(test)));
  });
  afterEach(async () => {
    await stack.remove();
    await test.close();
  });

  it("finds the deployment again that a POST without an answer made", async () => {
    const match = { method: "POST", path: "/v2/deployments" };
    test.platform.admin.addFault({ match, times: 1, action: "drop-after" });
    const { ok, text } = await stack.up();
    expect(ok, text).to.equal(true);
    const { id } = await stack.deployment();
    expect((await live()).map((deployment) => deployment.id)).to.deep.equal([id]);
    expect(test.platform.admin.requests()).to.include({ "POST /v2/deployments": 1 });
  });

  it("makes nothing and says so when the POST did not arrive, and creates at the next up", async () => {
    const match = { method: "POST", path: "/v2/deployments" };
    test.platform.admin.addFault({ match, times: 1, action: "drop-before" });
    expect((await stack.up()).ok).to.equal(false);
    expect(await live()).to.be.empty;
    expect((await stack.up()).ok).to.equal(true);
    expect(await live()).to.have.length(1);
  });

  it("refuses a name that another deployment has, naming its id and the way out", async () => {
    const { id } = await test.create({ name: "taken" });
    stack.program = supportProgram({ ...gitArgs(test), name: "taken" });
    const { ok, text } = await stack.up();
    expect(ok).to.equal(false);
    expect(text).to.contain(id).and.contain("adoptExisting");
    expect(await live()).to.have.length(1);
  });

  it("takes over a deployment of that name when it may, and brings it to the declared state", async () => {
    const { id } = await test.create({ name: "taken" });
    await test.untilRevision(id, "DEPLOYED");
    stack.program = supportProgram({
      ...gitArgs(test),
      name: "taken",
      adoptExisting: true,
      sourceRevisionConfig: { repoRef: "next", graphConfigPath: "langgraph.json" },
    });
    const { ok, text } = await stack.up();
    expect(ok, text).to.equal(true);
    expect((await stack.deployment()).id).to.equal(id);
    expect((await test.get(id)).source_revision_config.repo_ref).to.equal("next");
  });

  it("moves a derived name on when a deleted deployment left it behind", async () => {
    await stack.up();
    const { outputs } = await stack.deployment();
    await stack.destroy();
    test.platform.admin.addLeftoverName(String(outputs["name"]));
    const { ok, text } = await stack.up();
    expect(ok, text).to.equal(true);
    const moved = await stack.deployment();
    expect(moved.outputs["name"]).not.to.equal(outputs["name"]);
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
  });

  it("deploys an image with its size, and changes the size with one revision", async () => {
    const declare = (cpu: number) => {
      const { source_revision_config: revision } = anImageDeployment();
      stack.program = supportProgram({
        source: "external_container",
        sourceConfig: { resourceSpec: { cpu, minScale: 1, labels: { team_name: "a" } } },
        sourceRevisionConfig: { imageUri: revision.image_uri },
      });
    };
    declare(0.25);
    const first = await stack.up();
    expect(first.ok, first.text).to.equal(true);
    const { id, outputs } = await stack.deployment();
    expect((await test.get(id)).source_config.resource_spec).to.include({ cpu: 0.3, min_scale: 1 });
    expect(outputs["imageVersion"]).to.equal("1.2");
    declare(2);
    expect((await stack.up()).ok).to.equal(true);
    const spec = (await test.get(id)).source_config.resource_spec;
    expect(spec).to.deep.include({ cpu: 2, min_scale: 1, labels: { team_name: "a" } });
    const { body } = await test.request("GET", `/v2/deployments/${id}/revisions`);
    expect(Object(body).resources).to.have.length(2);
    await stack.refresh();
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
  });
});
