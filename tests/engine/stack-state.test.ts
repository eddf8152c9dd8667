import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { exportStackState } from "../../provider/kind/stack-state";
import { makeProject } from "../../scripts/project";
import { URN } from "../support/inputs";
import { rejection } from "../support/rejection";

describe("the state of a stack, as the command pulumi exports it", () => {
  it("is not that of a stack which does not show the create that asks, and the error says why it can't be read", async () => {
    const project = await makeProject("agentserver-state-");
    const before = { ...process.env };
    const cwd = process.cwd();
    const reason = async () => (await rejection(exportStackState(URN))).message;
    try {
      Object.assign(process.env, project.environment);
      process.chdir(project.dir);
      await writeFile(join(project.dir, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
      expect(await reason()).to.equal("no stack named 'dev' found");
      await promisify(execFile)("pulumi", ["stack", "init", "dev"]);
      expect(await reason()).to.equal("it does not show this create");
      process.env["PATH"] = project.dir;
      expect(await reason()).to.equal("the command pulumi was not found");
    } finally {
      process.chdir(cwd);
      process.env = before;
      await project.remove();
    }
  });
});
