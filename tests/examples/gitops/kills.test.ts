import { expect } from "chai";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../../local/children";
import { describeNightly } from "../../support/tiers";
import { releaseOf, Team } from "./team";

/** Where all processes of a run are killed: at a command that has been called, or once this has been printed. */
const POINTS: readonly (readonly [point: string, command: string, pattern?: string])[] = [
  ["before its tag is on origin", "git", "push *refs/tags/release/*"],
  ["before its packages are installed", "npm", "ci"],
  ["before its stack is selected", "pulumi", "stack select *"],
  ["before its state is read", "pulumi", "stack export *"],
  ["before its preview", "pulumi", "preview *"],
  ["before its update", "pulumi", "up *"],
  ["while its update begins", "Updating ("],
  ["while its revision is built", "CREATING"],
  ["once its revision serves", "ted ("],
  ["before it is marked as passed", "git", "push *refs/tags/passed/*"],
];

/** A command that never ends where its arguments fit, and then says so. */
const trap = (command: string, pattern: string) => `#!/bin/bash
PATH=\${PATH#*:}
case "$*" in ${pattern.replaceAll(" ", "\\ ")}) touch "$TEAM/reached" && sleep 600 ;; esac
exec ${command} "$@"
`;

describeNightly("a run of examples/gitops that is killed, and then run once more", () => {
  let team: Team;
  const commits: string[] = [];

  before(async () => {
    team = await Team.create();
    const regions = { us: "https://api.agents.example.com" };
    const environments = POINTS.map((_point, at) => ({ name: `e${at}`, region: "us" }));
    const file = JSON.stringify({ regions, environments });
    const settings = await team.git("show", "main:Pulumi.staging.yaml");
    const values = POINTS.map((_point, at) => [`Pulumi.e${at}.yaml`, settings]);
    commits.push(
      await team.commit("One", { "environments.json": file, ...Object.fromEntries(values) }),
    );
    commits.push(await team.commit("Two"));
  });
  after(() => team.remove());

  /** Starts a deploy and kills it at a point. Returns its clone. */
  const kill = async (name: string, [point, command, pattern]: (typeof POINTS)[number]) => {
    const clone = await team.clone();
    const reached = join(team.dir, "reached");
    if (pattern !== undefined) await team.addCommand(command, trap(command, pattern));
    if (command === "CREATING") await team.holdBuilds();
    const running = team.startIn(clone, `scripts/deploy.sh ${name}`);
    if (pattern === undefined) await running.printed(command);
    else await until(point, () => existsSync(reached));
    await running.kill();
    if (command === "CREATING") await team.continueBuilds();
    if (pattern !== undefined) await Promise.all([team.removeCommand(command), rm(reached)]);
    return clone;
  };

  for (const [at, point] of POINTS.entries())
    it(`is what the branch says, by one revision each of a deploy, a promotion and a rollback: ${point[0]}`, async () => {
      const name = `e${at}`;
      for (const [step, commit] of [commits[0], commits[1], commits[0]].entries()) {
        await team.setLine(name, commit ?? "");
        const clone = await kill(name, point);
        const { code, text } = await team.runIn(clone, `scripts/deploy.sh ${name}`);
        expect(code, text).to.equal(0);
        expect(text).to.contain(`${name} runs ${releaseOf(commit ?? "")}`);
        expect(await team.serving(name)).to.equal(commit);
        const { id } = await team.deploymentOf(name);
        expect(await team.platform.revisions(id), text).to.have.length(step + 1);
        expect(await team.state(name)).not.to.contain("pending_operations");
        expect(await team.tags(`passed/${name}/`)).to.include(`passed/${name}/${commit}`);
      }
    });
});
