import { expect } from "chai";
import { stringify } from "yaml";
import { PLUGIN, useLanguage } from "../../support/language-stack";
import { describeLong } from "../../support/tiers";

const CANARY = "value-CANARY-of-the-model-key";
const HEAD = { name: "shop", plugins: { providers: [{ name: "agentserver", path: PLUGIN }] } };

/** A program in YAML of one deployment. */
function inYaml(changes = "{}"): Record<string, string> {
  const properties = {
    source: "external_container",
    sourceConfig: { resourceSpec: { cpu: 1 } },
    sourceRevisionConfig: { imageUri: "registry.example.com/support:1" },
    env: { LOG_LEVEL: "info" },
    secrets: { MODEL_API_KEY: "${modelApiKey}" },
    ...JSON.parse(changes),
  };
  const program = {
    config: { modelApiKey: { type: "string", secret: true } },
    resources: { support: { type: "agentserver:Deployment", properties } },
    outputs: { url: "${support.url}", key: "${support.secrets}" },
  };
  return { "Pulumi.yaml": stringify({ ...HEAD, runtime: "yaml", ...program }) };
}

/** The same in Python. */
function inPython(changes = ""): Record<string, string> {
  const program = `import pulumi
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
  return { "Pulumi.yaml": stringify({ ...HEAD, runtime: "python" }), "support.py": program };
}

interface Language {
  readonly program: (changes?: string) => Record<string, string>;
  /** Another value of a variable. */
  readonly debug: string;
  /** What only this language can send, and what the preview says of it. */
  readonly previews: readonly (readonly [what: string, changes: string, words: string])[];
}

const LANGUAGES: Readonly<Record<"YAML" | "Python", Language>> = {
  YAML: {
    program: inYaml,
    debug: '{ "env": { "LOG_LEVEL": "debug" } }',
    previews: [
      // YAML drops every null.
      ["a variable of null", '{ "env": { "LOG_LEVEL": null } }', "variable LOG_LEVEL removed"],
    ],
  },
  Python: {
    program: inPython,
    debug: 'args["env"] = {"LOG_LEVEL": "debug"}',
    previews: [
      ["a number as a variable", 'args["env"] = {"LOG_LEVEL": 3}', "LOG_LEVEL must be a string"],
      [
        "a name that is not there, in Python's spelling",
        'args["source_revision_config"] = {"image_uri": "a:1", "repo_reff": "main"}',
        "did you mean sourceRevisionConfig.repoRef (source_revision_config.repo_ref)?",
      ],
      ["a variable of None", 'args["env"] = {"LOG_LEVEL": None}', "env.LOG_LEVEL has no value"],
    ],
  },
};

for (const name of ["YAML", "Python"] as const)
  describeLong(`a program in ${name}, on the real engine`, () => {
    const { program, debug, previews } = LANGUAGES[name];
    const made = useLanguage(name, program());
    let printed = "";

    const run = async (verb: string): Promise<string> => {
      const { text } = await made().run(verb);
      printed += text;
      return text;
    };
    const declare = async (changes?: string) => {
      for (const [file, text] of Object.entries(program(changes)))
        await made().stack.write(file, text);
    };

    before(() => made().stack.done("pulumi", "config", "set", "--secret", "modelApiKey", CANARY));

    it("creates a deployment, and has nothing to do the next time", async () => {
      expect(await run("up")).to.contain("+ 2 created");
      const { url, cpu = 1 } = await made().stack.outputs();
      expect(url).to.contain("/agents/");
      expect(cpu).to.equal(1);
      expect(await run("preview")).to.contain("2 unchanged");
    });

    it("creates one revision for a changed variable, and knows the URL before", async () => {
      await declare(debug);
      const preview = await run("preview");
      expect(preview).to.contain("~ 1 to update").and.not.to.contain("[unknown]");
      expect(await run("up")).to.contain("~ 1 updated");
      const [deployment] = await made().test.deployments();
      expect(await made().test.revisions(deployment?.id ?? "")).to.have.length(2);
    });

    for (const [what, changes, words] of previews)
      it(`says at the preview what is wrong with ${what}, or what it does`, async () => {
        await declare(changes);
        expect(await run("preview")).to.contain(words);
      });

    it("takes everything away again, and its secret was nowhere in clear", async () => {
      const { stack, test } = made();
      expect(await stack.stored()).to.contain("ciphertext");
      expect(await stack.outputs()).to.have.property("key", "[secret]");
      for (const secret of [CANARY, test.platform.apiKey])
        for (const text of [printed, await stack.stored()]) expect(text).not.to.contain(secret);
      await declare();
      expect(await run("destroy")).to.contain("- 2 deleted");
      expect(await test.deployments()).to.deep.equal([]);
    });
  });
