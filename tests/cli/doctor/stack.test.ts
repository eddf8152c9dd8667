import { mkdir, writeFile } from "node:fs/promises";
import { expect } from "chai";
import { installationChecks } from "../../../cli/doctor/installation";
import { INSTALLED } from "./installed";
import { useFolder } from "../../local/children";

describe("the checks of the selected stack", () => {
  const folder = useFolder();
  const before = { ...process.env };
  afterEach(() => (process.env = { ...before }));
  const checksWith = async (state: string) => {
    Object.assign(process.env, { PULUMI_HOME: folder(), PULUMI_BACKEND_URL: `file://${state}` });
    await writeFile(folder("Pulumi.yaml"), "name: doctor\nruntime: yaml\n");
    await mkdir(folder("plugins/resource-agentserver-v0.0.1"), { recursive: true });
    const checks = await installationChecks(folder());
    const plugin = checks.find(({ subject }) => subject === "plugin");
    expect(plugin?.text, "another version").to.match(/^agentserver 0\.0\.1, and this command is/);
    return checks.filter(({ subject }) => !INSTALLED.includes(subject));
  };

  it("are unknown with Pulumi's reason, said once, where Pulumi cannot read it", async () => {
    const [command, stack, ...more] = await checksWith(folder("missing"));
    expect(command).to.include({ subject: "command", state: "good" });
    expect(stack).to.include({ subject: "stack", state: "unknown" });
    expect(stack?.text).to.match(/missing: no such file or directory$/);
    expect(more).to.deep.equal([]);
  });

  it("are none where no stack is selected", async () => {
    const checks = await checksWith(folder());
    expect(checks.map(({ subject }) => subject)).to.deep.equal(["command"]);
  });
});
