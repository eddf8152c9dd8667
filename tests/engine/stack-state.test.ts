import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { exportStackState } from "../../provider/resource/stack-state";
import { makeProject } from "../../scripts/project";
import { URN } from "../support/inputs";
import { reasonOf, rejection } from "../support/rejection";

describe("the state of a stack, as the command pulumi exports it", () => {
  it("is not that of a stack which shows neither the create that asks nor its resource, and the error says why it can't be read", async () => {
    const project = await makeProject("agentserver-state-");
    const before = { ...process.env };
    const cwd = process.cwd();
    const reason = async () => await reasonOf(exportStackState(URN));
    try {
      Object.assign(process.env, project.environment);
      process.chdir(project.dir);
      await writeFile(join(project.dir, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
      expect(await reason()).to.equal("no stack named 'dev' found");
      await promisify(execFile)("pulumi", ["stack", "init", "dev"]);
      expect(await reason()).to.equal("it does not show this create");
      const state = JSON.stringify({
        version: 3,
        deployment: {
          manifest: { time: "2026-01-01T00:00:00Z", magic: "", version: "" },
          resources: [{ urn: URN, type: "agentserver:index:Deployment", custom: false }],
        },
      });
      await writeFile("state.json", state);
      await promisify(execFile)("pulumi", ["stack", "import", "--file", "state.json", "--force"]);
      const read = await exportStackState(URN);
      expect(read.resources.map(({ urn }) => urn)).to.deep.equal([URN]);
      const another = await rejection(exportStackState(`${URN}-other`));
      expect(another.message).to.equal("it does not show this create");
      expect(await exportStackState(`${URN}-other`, true)).to.deep.equal(read);
      const elsewhere = await rejection(exportStackState(URN.replace("shop", "store"), true));
      expect(elsewhere.message).to.equal("it does not show this create");
      process.env["PATH"] = project.dir;
      expect(await reason()).to.equal("the command pulumi was not found");
    } finally {
      process.chdir(cwd);
      process.env = before;
      await project.remove();
    }
  });
});
