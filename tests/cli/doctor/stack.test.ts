import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { installationChecks } from "../../../cli/doctor/installation";
import { INSTALLED } from "./installed";
import { aFolder } from "../../local/children";

describe("the checks of the selected stack", () => {
  const checksWith = async (backend: (folder: string) => string) => {
    const folder = await aFolder();
    const before = { ...process.env };
    Object.assign(process.env, { PULUMI_HOME: folder, PULUMI_BACKEND_URL: backend(folder) });
    try {
      await writeFile(join(folder, "Pulumi.yaml"), "name: doctor\nruntime: yaml\n");
      await mkdir(join(folder, "plugins/resource-agentserver-v0.0.1"), { recursive: true });
      const checks = await installationChecks(folder);
      const plugin = checks.find(({ subject }) => subject === "plugin");
      expect(plugin?.text, "another version").to.match(/^agentserver 0\.0\.1, and this command is/);
      return checks.filter(({ subject }) => !INSTALLED.includes(subject));
    } finally {
      process.env = before;
      await rm(folder, { recursive: true });
    }
  };

  it("are unknown with Pulumi's reason, said once, where Pulumi cannot read it", async () => {
    const [command, stack, ...more] = await checksWith((folder) => `file://${folder}/missing`);
    expect(command).to.include({ subject: "command", state: "good" });
    expect(stack).to.include({ subject: "stack", state: "unknown" });
    expect(stack?.text).to.match(/missing: no such file or directory$/);
    expect(more).to.deep.equal([]);
  });

  it("are none where no stack is selected", async () => {
    const checks = await checksWith((folder) => `file://${folder}`);
    expect(checks.map(({ subject }) => subject)).to.deep.equal(["command"]);
  });
});
