import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { REPOSITORY } from "../../../scripts/project";
import { shareCache } from "../../../scripts/shared-cache";
import { skipWithoutRegistry } from "../../support/agents";
import { describeLong } from "../../support/tiers";
import { Team } from "./team";
import { EXAMPLE } from "./copy";

const AGENT = join(REPOSITORY, "examples/assistants/agent");

/** An agent of the real JavaScript server with its lock file, and the gate of staging as the example has it. */
async function gatedFiles(): Promise<Record<string, string>> {
  const dir = await mkdtemp(join(tmpdir(), "agentserver-agent-"));
  await cp(AGENT, dir, { recursive: true });
  await promisify(execFile)("npm", ["install", "--package-lock-only"], { cwd: dir });
  const agent = (await readdir(dir)).map(async (name) => [
    `agent/${name}`,
    await readFile(join(dir, name), "utf8"),
  ]);
  const files = Object.fromEntries(await Promise.all(agent));
  await rm(dir, { recursive: true });
  const settings = await readFile(join(EXAMPLE, "Pulumi.staging.yaml"), "utf8");
  return { ...files, "Pulumi.staging.yaml": settings };
}

describeLong("the pipelines of examples/gitops, whose gate a real agent answers", () => {
  let team: Team;
  let files: Record<string, string> = {};

  before(async function () {
    await skipWithoutRegistry(this, "javascript");
    team = await Team.create("real");
    await shareCache(team.platform.dataDir);
    files = await gatedFiles();
  });
  after(() => team?.remove());

  it("pass no commit whose answers are not as expected, also where they are asked again", async () => {
    await team.commit("An agent that knows too little", files);
    const text = await team.fail("scripts/deploy.sh staging");
    expect(text)
      .to.contain("is deployed and not ready, since its gate failed: 1 of 3 runs passed")
      .and.contain("expected an answer that matches /arrives|delivered/; got: Your order 7 is");
    expect(await team.fail("scripts/deploy.sh staging")).to.contain("its gate failed: 1 of 3");
    expect(await team.tags("passed/")).to.deep.equal([]);
    expect(await team.fail("scripts/promote.sh production")).to.contain("nothing has passed");
  });

  it("pass the commit whose agent answers as expected", async () => {
    const agent = (files["agent/agent.mjs"] ?? "")
      .replace("is on its way.", "is on its way and arrives tomorrow.")
      .replace("Which order do you mean?", "I can tell you where your order is.");
    const commit = await team.commit("An agent that knows enough", { "agent/agent.mjs": agent });
    await team.succeed("scripts/deploy.sh staging");
    expect(await team.tags("passed/")).to.deep.equal([`passed/staging/${commit}`]);
  });
});
