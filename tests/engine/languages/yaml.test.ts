import { expect } from "chai";
import { stringify } from "yaml";
import { needYamlHost } from "../../support/languages";
import { LanguageStack, PLUGIN } from "../../support/language-stack";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { describeLong } from "../../support/tiers";

const CANARY = "value-CANARY-of-the-model-key";
const PULUMI = ["--non-interactive", "--color", "never"];

const PROPERTIES = {
  source: "external_container",
  sourceConfig: { resourceSpec: { cpu: 1 } },
  sourceRevisionConfig: { imageUri: "registry.example.com/support:1" },
  env: { LOG_LEVEL: "info" },
  secrets: { MODEL_API_KEY: "${modelApiKey}" },
};

/** A program in YAML of one deployment. */
function program(properties: object): string {
  return stringify({
    name: "shop",
    runtime: "yaml",
    plugins: { providers: [{ name: "agentserver", path: PLUGIN }] },
    config: { modelApiKey: { type: "string", secret: true } },
    resources: { support: { type: "agentserver:Deployment", properties } },
    outputs: { url: "${support.url}", name: "${support.name}", key: "${support.secrets}" },
  });
}

describeLong("a program in YAML, on the real engine", () => {
  let test: TestPlatform;
  let stack: LanguageStack;
  let printed = "";

  const pulumi = async (...words: string[]): Promise<string> => {
    const { text } = await stack.run("pulumi", ...words, ...PULUMI);
    printed += text;
    return text;
  };
  const declare = (properties: object) => stack.write("Pulumi.yaml", program(properties));

  before(async function () {
    const host = await needYamlHost(this);
    test = await startTestPlatform();
    stack = await LanguageStack.create({
      files: { "Pulumi.yaml": program(PROPERTIES) },
      platform: test.platform,
      path: [host],
    });
    await stack.done("pulumi", "config", "set", "--secret", "modelApiKey", CANARY);
  });
  after(async () => {
    await stack?.remove();
    await test?.close();
  });

  it("creates a deployment, and has nothing to do the next time", async () => {
    expect(await pulumi("up")).to.contain("+ 2 created");
    const { url } = await stack.outputs();
    expect(url).to.contain("/agents/");
    expect(await pulumi("preview")).to.contain("2 unchanged");
  });

  it("creates one revision for a changed variable, and knows the URL before", async () => {
    const { url } = await stack.outputs();
    await declare({ ...PROPERTIES, env: { LOG_LEVEL: "debug" } });
    const preview = await pulumi("preview");
    expect(preview).to.contain("~ 1 to update");
    expect(preview).not.to.contain("[unknown]");
    expect(await pulumi("up")).to.contain("~ 1 updated");
    expect(await stack.outputs()).to.have.property("url", url);
    const [deployment] = await test.deployments();
    expect(await test.revisions(deployment?.id ?? "")).to.have.length(2);
  });

  const refused = {
    "a wrong name in an object": [
      { sourceRevisionConfig: { imageUrl: "registry.example.com/support:1" } },
      "Property imageUrl does not exist on 'agentserver:index:SourceRevisionConfig'",
    ],
    "a source that does not exist": [{ source: "git" }, 'Allowed values are GitHost ("git_host")'],
    "a string in place of a number": [
      { sourceConfig: { resourceSpec: { cpu: "1" } } },
      "cpu: Cannot assign type 'string' to type 'number'",
    ],
    "a field of another source": [
      { sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" } },
      "sourceRevisionConfig.imageUri",
    ],
    "a number as a variable": [{ env: { LOG_LEVEL: 3 } }, "env.LOG_LEVEL must be a string"],
    "a variable in both objects": [{ env: { MODEL_API_KEY: "not-a-real-key" } }, "MODEL_API_KEY"],
  } as const;
  for (const [what, [changes, message]] of Object.entries(refused))
    it(`refuses ${what} in the preview`, async () => {
      await declare({ ...PROPERTIES, ...changes });
      const text = await pulumi("preview");
      expect(text).to.contain(message);
      expect(text).not.to.contain("to update");
    });

  it("drops a variable of null, as YAML does with every null", async () => {
    await declare({ ...PROPERTIES, env: { LOG_LEVEL: null } });
    expect(await pulumi("preview")).to.contain("variable LOG_LEVEL removed");
  });

  it("keeps the secret out of the state, the outputs and all that is printed", async () => {
    expect(await stack.stored()).to.contain("ciphertext");
    expect(await stack.outputs()).to.have.property("key", "[secret]");
    for (const secret of [CANARY, test.platform.apiKey]) {
      expect(printed).not.to.contain(secret);
      expect(await stack.stored()).not.to.contain(secret);
    }
  });

  it("takes everything away again", async () => {
    await declare(PROPERTIES);
    expect(await pulumi("refresh")).to.contain("unchanged");
    expect(await pulumi("destroy")).to.contain("- 2 deleted");
    expect(await test.deployments()).to.deep.equal([]);
  });
});
