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

  it("prints code that is accepted as it is, and then there is nothing to do", async () => {
    const { stack, test } = made();
    const secrets = [{ name: "MODEL_API_KEY", value: "value-of-the-key" }];
    const { id } = await test.create({ name: "made-by-hand", secrets });
    await test.untilRevision(id, "DEPLOYED");
    const words = ["import", "agentserver:index:Deployment", "support", id, "--yes"];
    const text = await stack.done("pulumi", ...words, ...PULUMI);
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
