import { expect } from "chai";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";

describe("replacement on the real engine", () => {
  let test: TestPlatform;
  let stack: TestStack;

  const live = async () => {
    const { body } = await test.request("GET", "/v2/deployments");
    return Array.from<{ id: string; name: string }>(Object(body).resources);
  };

  before(async () => {
    test = await startTestPlatform();
    stack = await TestStack.create(settingsFor(test.platform), supportProgram(gitArgs(test)));
    await stack.up();
  });
  after(async () => {
    await stack.remove();
    await test.close();
  });

  it("deletes first when an immutable field changes, and says so in the preview", async () => {
    const old = await stack.deployment();
    const { sourceConfig, ...args } = gitArgs(test);
    const repoUrl = "https://git.example.com/acme/moved.git";
    stack.program = supportProgram({ ...args, sourceConfig: { ...sourceConfig, repoUrl } });
    const { changes, messages } = await stack.preview();
    expect(changes).to.deep.equal({ same: 1, replace: 1 });
    expect(messages.join()).to.contain(
      "replaced, since repoUrl can't be changed: deleted first, its threads and database go with it",
    );
    expect((await stack.up()).ok).to.equal(true);
    const replaced = await stack.deployment();
    expect(replaced.id).not.to.equal(old.id);
    expect(replaced.outputs["name"]).not.to.equal(old.outputs["name"]);
    expect(await live())
      .to.have.length(1)
      .and.have.nested.property("[0].id", replaced.id);
  });

  it("leaves exactly one deployment after a forced replacement, the one in the state", async () => {
    const old = await stack.deployment();
    const { ok, text } = await stack.up({ replace: [stack.urn()] });
    expect(ok, text).to.equal(true);
    const replaced = await stack.deployment();
    expect(replaced.id).not.to.equal(old.id);
    expect(replaced.outputs["name"]).to.equal(old.outputs["name"]);
    expect(await live())
      .to.have.length(1)
      .and.have.nested.property("[0].id", replaced.id);
  });

  it("leaves exactly one after a forced replacement of a given name with adoptExisting", async () => {
    stack.program = supportProgram({ ...gitArgs(test), name: "given", adoptExisting: true });
    expect((await stack.up()).ok).to.equal(true);
    const old = await stack.deployment();
    const { ok, text } = await stack.up({ replace: [stack.urn()] });
    expect(ok, text).to.equal(true);
    const replaced = await stack.deployment();
    expect(replaced.id).not.to.equal(old.id);
    expect(await live()).to.deep.include({ ...(await live())[0], id: replaced.id, name: "given" });
    expect(await live()).to.have.length(1);
  });
});
