import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { installationChecks } from "../../../cli/doctor/installation";
import { packageVersion } from "../../../local/agentserver/version";
import { useFolder } from "../../local/children";

describe("the check of an installed package", () => {
  const root = useFolder();

  const stateWith = async (version: string, name = "@pulumi/pulumi", of = "Pulumi's SDK") => {
    const folder = root(version);
    const installed = join(folder, "node_modules", name);
    await mkdir(installed, { recursive: true });
    await writeFile(join(installed, "package.json"), JSON.stringify({ version }));
    const checks = await installationChecks(folder);
    return checks.find(({ subject }) => subject === of)?.state;
  };

  it("takes the one version that the command has", async () => {
    for (const [version, state] of [
      [packageVersion(), "good"],
      ["0.0.1", "bad"],
    ] as const)
      expect(await stateWith(version, "pulumi-agentserver", "package of the project")).to.equal(
        state,
      );
  });

  it("says of the plugin in the package whether the project names it", async () => {
    const path = "node_modules/pulumi-agentserver/dist/plugin";
    await mkdir(root(path), { recursive: true });
    await writeFile(root("node_modules/pulumi-agentserver/package.json"), "{}");
    for (const plugins of ["", `plugins: { providers: [{ name: agentserver, path: ${path} }] }`]) {
      await writeFile(root("Pulumi.yaml"), `name: shop\nruntime: nodejs\n${plugins}`);
      const checks = await installationChecks(root());
      const { text } = checks.find(({ subject }) => subject === "plugin") ?? expect.fail();
      expect(text.includes("Pulumi.yaml does not name it")).to.equal(plugins === "");
    }
  });

  it("takes the versions of Pulumi's SDK that the package works with alone", async () => {
    const states: unknown[] = [];
    const versions = ["3.9.0", "3.216.1", "3.217.0", "3.1000.0", "4.0.0", "30.0.0"];
    for (const version of versions) states.push(await stateWith(version));
    expect(states).to.deep.equal(["bad", "bad", "good", "good", "bad", "bad"]);
  });
});
