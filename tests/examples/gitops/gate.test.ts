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
import { EXAMPLE } from "./workflow-files";

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

  it("record no release whose answers are not as expected, so that it can't be promoted", async () => {
    await team.commit("An agent that knows too little", files);
    const { code, text } = await team.run("scripts/release.sh staging");
    expect(code, text).not.to.equal(0);
    expect(text)
      .to.contain("is deployed and not ready, since its gate failed: 1 of 3 runs passed")
      .and.contain("expected an answer that matches /arrives|delivered/; got: Your order 7 is");
    expect(await team.tags("staging/")).to.deep.equal({});
    const promoted = await team.run("scripts/promote.sh --yes production");
    expect(promoted.text).to.equal("promote: refused: no release to staging is recorded\n");
  });

  it("ask again where the release is repeated, and record none of the same answers", async () => {
    const { code, text } = await team.run("scripts/release.sh staging");
    expect(code, text).not.to.equal(0);
    expect(text).to.contain("its gate failed: 1 of 3 runs passed");
    expect(await team.tags("staging/")).to.deep.equal({});
    expect(await team.deployments()).to.have.length(1);
  });

  it("record and promote the commit whose agent answers as expected", async () => {
    const agent = (files["agent/agent.mjs"] ?? "")
      .replace("is on its way.", "is on its way and arrives tomorrow.")
      .replace("Which order do you mean?", "I can tell you where your order is.");
    await team.commit("An agent that knows enough", { "agent/agent.mjs": agent });
    const { code, text } = await team.run("scripts/release.sh staging");
    expect(code, text).to.equal(0);
    expect(text).to.contain("recorded as staging/1");
    const promoted = await team.run("scripts/promote.sh --yes production");
    expect(promoted.code, promoted.text).to.equal(0);
    expect(await team.tags("production/")).to.have.keys("production/1");
  });
});
