import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { REPOSITORY } from "../../../scripts/project";
import { installedSdk, needPython } from "../../support/languages";
import { LanguageStack, PLUGIN } from "../../support/language-stack";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { describeLong } from "../../support/tiers";

const CANARY = "value-CANARY-of-the-model-key";

const PROJECT = `name: shop
runtime: python
plugins: { providers: [{ name: agentserver, path: ${PLUGIN} }] }
`;

/** A program of one deployment, whose arguments are written in Python. */
function program(changes = ""): string {
  return `import pulumi
import pulumi_agentserver as agentserver

def deploy():
    args = dict(
        source=agentserver.DeploymentSource.EXTERNAL_CONTAINER,
        source_config=agentserver.SourceConfigArgs(resource_spec={"cpu": 1}),
        source_revision_config={"image_uri": "registry.example.com/support:1"},
        env={"LOG_LEVEL": "info"},
        secrets={"MODEL_API_KEY": pulumi.Config().require_secret("modelApiKey")},
    )
    ${changes}
    support = agentserver.Deployment("support", **args)
    pulumi.export("url", support.url)
    pulumi.export("cpu", support.source_config.resource_spec.cpu)
    pulumi.export("key", support.secrets)
`;
}

describeLong("a program in Python, on the real engine", () => {
  let test: TestPlatform;
  let stack: LanguageStack;
  let python: string;
  let sdk: string;
  let printed = "";

  /** The steps of the example's script with Pulumi's Automation API. */
  const automate = async (verb: string): Promise<string> => {
    const { text } = await stack.run(python, "automate.py", verb);
    printed += text;
    return text;
  };
  const declare = (changes?: string) => stack.write("support.py", program(changes));

  before(async function () {
    python = await needPython(this);
    sdk = await installedSdk(python);
    test = await startTestPlatform();
    stack = await LanguageStack.create({
      files: {
        "Pulumi.yaml": PROJECT,
        "support.py": program(),
        "automate.py": await readFile(join(REPOSITORY, "examples/python/automate.py"), "utf8"),
      },
      platform: test.platform,
      environment: { PYTHONPATH: sdk },
    });
    await stack.done("pulumi", "config", "set", "--secret", "modelApiKey", CANARY);
  });
  after(async () => {
    await stack?.remove();
    await test?.close();
    if (sdk) await rm(sdk, { recursive: true, force: true });
  });

  it("creates a deployment, reads its outputs by their Python names, and has nothing to do the next time", async () => {
    expect(await automate("up")).to.contain("+ 2 created");
    const { url, cpu } = await stack.outputs();
    expect(url).to.contain("/agents/");
    expect(cpu).to.equal(1);
    expect(await automate("preview")).to.contain("2 unchanged");
  });

  it("creates one revision for a changed variable, and knows the URL before", async () => {
    await declare('args["env"] = {"LOG_LEVEL": "debug"}');
    const preview = await automate("preview");
    expect(preview).to.contain("~ 1 to update").and.not.to.contain("[unknown]");
    expect(await automate("up")).to.contain("~ 1 updated");
    const [deployment] = await test.deployments();
    expect(await test.revisions(deployment?.id ?? "")).to.have.length(2);
  });

  const refused = {
    "a wrong name in an object": [
      'args["source_revision_config"] = {"image_url": "registry.example.com/support:1"}',
      "imageUri",
    ],
    "a source that does not exist": ['args["source"] = "git"', "source"],
    "a string in place of a number": [
      'args["source_config"] = {"resource_spec": {"cpu": "1"}}',
      "sourceConfig.resourceSpec.cpu",
    ],
    "a number as a variable": ['args["env"] = {"LOG_LEVEL": 3}', "env.LOG_LEVEL must be a string"],
    "a name that is not there, in Python's spelling": [
      'args["source_revision_config"] = {"image_uri": "a:1", "repo_reff": "main"}',
      "did you mean sourceRevisionConfig.repoRef (source_revision_config.repo_ref)?",
    ],
    "a variable of None": ['args["env"] = {"LOG_LEVEL": None}', "env.LOG_LEVEL has no value"],
  } as const;
  for (const [what, [changes, message]] of Object.entries(refused))
    it(`refuses ${what} in the preview`, async () => {
      await declare(changes);
      const text = await automate("preview");
      expect(text).to.contain(message);
      expect(text).not.to.contain("to update");
    });

  it("reads a deployment by its id, without managing it", async () => {
    const { id } = await test.create({ name: "elsewhere" });
    await declare(`pulumi.export("read", agentserver.Deployment.get("elsewhere", "${id}").name)`);
    await automate("up");
    expect(await stack.outputs()).to.have.property("read", "elsewhere");
    await declare();
    await automate("up");
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
    expect(await automate("destroy")).to.contain("- 2 deleted");
  });
});
