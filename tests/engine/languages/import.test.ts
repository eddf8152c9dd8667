import { expect } from "chai";
import { stringify } from "yaml";
import { PLUGIN, useLanguage } from "../../support/language-stack";
import { describeLong } from "../../support/tiers";

const PULUMI = ["--non-interactive", "--color", "never"];
const PROJECT = {
  name: "shop",
  runtime: "yaml",
  plugins: { providers: [{ name: "agentserver", path: PLUGIN }] },
};

describeLong("pulumi import in a project in YAML, on the real engine", () => {
  const made = useLanguage("YAML", { "Pulumi.yaml": stringify(PROJECT) });
  const importing = (of: string, name: string) => {
    const words = ["import", "agentserver:index:Deployment", name, of, "--yes"];
    return made().stack.run("pulumi", ...words, ...PULUMI);
  };

  it("names an id that no deployment has, and imports nothing", async () => {
    const unknown = "00000000-0000-4000-8000-000000000000";
    const { code, text } = await importing(unknown, "nobody");
    expect(code).not.to.equal(0);
    expect(text).to.contain(`get deployment '${unknown}'`);
  });

  it("prints code that is accepted as it is, and then there is nothing to do", async () => {
    const { stack, test } = made();
    const secrets = [{ name: "MODEL_API_KEY", value: "value-of-the-key" }];
    const { id } = await test.create({ name: "made-by-hand", secrets });
    await test.untilRevision(id, "DEPLOYED");
    const { code, text } = await importing(id, "support");
    expect(code, text).to.equal(0);
    const printed = /^resources:\n(?:[ ]+.*\n)+/m.exec(text)?.[0] ?? "";
    expect(printed).to.contain("type: agentserver:Deployment").and.contain("made-by-hand");
    expect(printed).not.to.contain("repoCommitSha");
    await stack.write("Pulumi.yaml", `${stringify(PROJECT)}${printed}`);
    // An imported resource is protected, and so is the code that is printed.
    const preview = await stack.done("pulumi", "preview", "--expect-no-changes", ...PULUMI);
    expect(preview).to.contain("unchanged");
    expect(await stack.stored()).not.to.contain("value-of-the-key");
  });
});
