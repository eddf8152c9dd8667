import { expect } from "chai";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeLong } from "../../support/tiers";
import { releaseOf, useTeam } from "./team";

/** Moves the tag of a release once, as soon as Pulumi starts to set the stack. */
const mover = (tag: string, commit: string) => `#!/bin/bash
PATH=\${PATH#*:}
if [ "$1" = up ] && mkdir "$TEAM/moved" 2>/dev/null; then
  git -C "$TEAM/work" push --quiet --force origin ${commit}:${tag}
fi
exec pulumi "$@"
`;

describeLong("the pipelines of examples/gitops, when something fails", () => {
  const team = useTeam();

  before(() => team.succeed("scripts/deploy.sh staging"));

  const change = async (secrets: readonly object[]) => {
    const { id } = await team.deploymentOf("staging");
    const answer = await team.platform.request("PATCH", `/v2/deployments/${id}`, { secrets });
    expect(answer.status).to.equal(200);
  };

  it("name what another client has set, in the comparison and in the run that undoes it", async () => {
    await change([
      { name: "LOG_LEVEL", value: "everything" },
      { name: "MODEL_API_KEY", value: "changed-secret" },
      { name: "EXTRA", value: "added-secret" },
    ]);
    for (const text of [
      await team.fail("scripts/drift.sh staging"),
      await team.succeed("scripts/deploy.sh staging"),
    ]) {
      expect(text).to.contain("variable LOG_LEVEL: everything → info (another client set this)\n");
      expect(text).to.contain("variable EXTRA removed: [secret] (another client set this)\n");
      expect(text).to.contain("variable MODEL_API_KEY: [secret]\n").and.not.to.contain("-secret");
    }
    await team.succeed("scripts/drift.sh staging");
  });

  it("report a revision that failed and that no release created", async () => {
    const { id, latest_revision_id: latest } = await team.deploymentOf("staging");
    team.platform.fails("BUILD_FAILED", "no disk left");
    await team.platform.request("POST", `/v2/deployments/${id}/revisions/${latest}/redeploy`, {});
    await team.platform.untilRevision(id, "BUILD_FAILED");
    const text = await team.fail("scripts/drift.sh staging");
    expect(text).to.contain("A revision failed that no release created.");
    expect(text).to.contain("ended with BUILD_FAILED; a push or another client created it");
  });

  it("say so where nothing could be compared", async () => {
    const clone = await team.clone();
    const wrong = { AGENTSERVER_API_KEY: "revoked" };
    const { code, text } = await team.runIn(clone, "scripts/drift.sh staging", wrong);
    expect(code).not.to.be.oneOf([0, 7]);
    expect(text)
      .to.match(/could not be previewed \(exit code \d+\):/)
      .and.contain("401");
  });

  it("say that staging runs what origin does not let them tag, and tag it the next time", async () => {
    const hook = join(team.dir, "origin.git/hooks/update");
    const rule = '#!/bin/sh\ncase $1 in refs/tags/passed/*) echo "protected"; exit 1 ;; esac\n';
    const commit = await team.commit("Not to be tagged");
    await writeFile(hook, rule, { mode: 0o755 });
    const text = await team.fail("scripts/deploy.sh staging");
    expect(text).to.contain(
      `refused: origin does not take the tag refs/tags/passed/staging/${commit}; run this again`,
    );
    await rm(hook);
    expect(await team.serving("staging")).to.equal(commit);
    await team.succeed("scripts/deploy.sh staging");
    expect(await team.tags("passed/staging/")).to.include(`passed/staging/${commit}`);
  });

  it("let no other commit stay where the tag of a release is moved", async () => {
    const beside = await team.commit("Never merged", {}, "beside");
    const commit = await team.commit("Its tag moves");
    await team.addCommand("pulumi", mover(releaseOf(commit), beside));
    const text = await team.succeed("scripts/deploy.sh staging");
    await team.removeCommand("pulumi");
    expect(text).to.contain(`is of commit ${beside} instead of ${commit}`);
    expect(await team.serving("staging")).to.equal(commit);
  });

  it("are what the branch says, by one revision, where a run was killed and is run once more", async () => {
    const commit = await team.commit("Released by a run that is killed");
    await team.holdBuilds();
    const clone = await team.clone();
    const running = team.startIn(clone, "scripts/deploy.sh staging");
    await running.printed("CREATING");
    const { id } = await team.deploymentOf("staging");
    const revisions = await team.platform.revisions(id);
    await running.kill();
    await team.continueBuilds();
    await team.succeedIn(clone, "scripts/deploy.sh staging");
    expect(await team.serving("staging")).to.equal(commit);
    expect(await team.platform.revisions(id)).to.have.length(revisions.length);
    expect(await team.state("staging")).not.to.contain("pending_operations");
  });

  it("let one of two runs at once wait for its end, and refuse the other where no job waits for jobs", async () => {
    const commit = await team.commit("Released twice at once");
    await team.holdBuilds();
    const running = await team.start("scripts/deploy.sh staging");
    await running.printed("CREATING");
    const { text } = await team.runIn(await team.clone(), "scripts/deploy.sh staging", { CI: "" });
    expect(text).to.contain("error: the stack is currently locked by 1 lock(s)");
    await team.continueBuilds();
    const { code, text: end } = await running.finished;
    expect(code, end).to.equal(0);
    expect(await team.serving("staging")).to.equal(commit);
  });

  it("name an environment that is no longer listed and still there, until it is destroyed", async () => {
    const listed = await team.git("show", "main:environments.json");
    const { regions, environments } = JSON.parse(listed);
    const rest = { regions, environments: environments.slice(1) };
    await team.commit("Remove staging", { "environments.json": JSON.stringify(rest) });
    const { url } = await team.deploymentOf("staging");
    const all = 'all=["production","staging"]';
    expect(await team.succeed("scripts/environments.sh")).to.contain(all);
    const unlisted = `refused: environments.json lists no staging, and ${url} is its deployment`;
    expect(await team.fail("scripts/drift.sh staging")).to.contain(unlisted);
    expect(await team.fail("scripts/destroy-environment.sh production")).to.contain("lists");
    await team.succeed("scripts/destroy-environment.sh staging");
    expect(await team.platform.deployments()).to.deep.equal([]);
    expect(await team.succeed("scripts/environments.sh")).to.contain('all=["production"]');
  });
});
