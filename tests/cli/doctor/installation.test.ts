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

  it("takes the versions of Pulumi's SDK that the package works with alone", async () => {
    const states: unknown[] = [];
    const versions = ["3.9.0", "3.216.1", "3.217.0", "3.1000.0", "4.0.0", "30.0.0"];
    for (const version of versions) states.push(await stateWith(version));
    expect(states).to.deep.equal(["bad", "bad", "good", "good", "bad", "bad"]);
  });
});
