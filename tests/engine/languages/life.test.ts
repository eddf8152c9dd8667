import { expect } from "chai";
import { stringify } from "yaml";
import { PLUGIN, useLanguage } from "../../support/language-stack";
import { describeLong } from "../../support/tiers";

const HEAD = { name: "shop", plugins: { providers: [{ name: "agentserver", path: PLUGIN }] } };

/** A program in YAML of one deployment. */
function inYaml(changes = "{}"): Record<string, string> {
  const properties = {
    source: "external_container",
    sourceConfig: { resourceSpec: { cpu: 1 } },
    sourceRevisionConfig: { imageUri: "registry.example.com/support:1" },
    env: { LOG_LEVEL: "info" },
    ...JSON.parse(changes),
  };
  const program = { resources: { support: { type: "agentserver:Deployment", properties } } };
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
    )
    ${changes}
    support = agentserver.Deployment("support", **args)
    pulumi.export("cpu", support.source_config.resource_spec.cpu)
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
    const run = async (verb: string) => (await made().run(verb)).text;
    const declare = async (changes?: string) => {
      for (const [file, text] of Object.entries(program(changes)))
        await made().stack.write(file, text);
    };

    it("creates one revision for a changed variable, and knows the URL before", async () => {
      expect(await run("up")).to.contain("+ 2 created");
      if (name === "Python") expect(await made().stack.outputs()).to.deep.equal({ cpu: 1 });
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
  });
