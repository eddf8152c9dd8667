import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describeNightly } from "../../support/tiers";
import { Team } from "./team";

/** Takes the place of GitHub's command line: writes its arguments down and prints what was found. */
const RECORDER = `#!/bin/sh
printf '%s\\n' "$*" >>gh.log
case "$1 $2" in
"api --paginate" | "issue list") cat found.txt ;;
esac
`;

describeNightly("the nightly run of examples/gitops", () => {
  let team: Team;

  const deployment = async () => {
    const [only] = await team.deployments();
    if (!only) throw new Error("staging has no deployment");
    return only;
  };
  const release = async (ref: string) => {
    const { code, text } = await team.run("scripts/release.sh staging", ref);
    expect(code, text).to.equal(0);
  };

  before(async () => {
    team = await Team.create();
    await team.addCommand("gh", RECORDER);
  });
  after(() => team.remove());

  it("has nothing to compare before the first release", async () => {
    const { code, text } = await team.run("scripts/drift.sh staging");
    expect(text).to.equal("no release to staging is recorded: nothing to compare\n");
    expect(code).to.equal(0);
  });

  it("finds no drift after a release, though main has moved on", async () => {
    await release("main");
    await team.commit("Not released", {
      "Pulumi.staging.yaml": "config:\n  support-agent:logLevel: x\n",
    });
    const { code, text } = await team.run("scripts/drift.sh staging");
    expect(code, text).to.equal(0);
    expect(text).to.contain("Another release of staging/1 changes nothing.");
  });

  it("fails with the words of the drift, and shows no secret", async () => {
    const { id } = await deployment();
    const secrets = [
      { name: "LOG_LEVEL", value: "everything" },
      { name: "MODEL_API_KEY", value: "changed-CANARY" },
    ];
    const { status } = await team.platform.request("PATCH", `/v2/deployments/${id}`, { secrets });
    expect(status).to.equal(200);
    const clone = await team.clone();
    const { code, text } = await team.runIn(clone, "scripts/drift.sh staging");
    expect(code, text).to.equal(7);
    expect(text).to.contain("Another release of staging/1 changes this:");
    const [first = ""] = text.split("<details>");
    expect(first).to.contain("variable LOG_LEVEL: everything → info\n");
    expect(first).to.contain("variable MODEL_API_KEY: [secret]\n");
    expect(text).not.to.contain("CANARY");
    expect(await readFile(join(clone, "report.md"), "utf8")).to.equal(text);
  });

  it("finds no drift after the same release once more, which restores what is declared", async () => {
    await release("staging/1");
    const { code, text } = await team.run("scripts/drift.sh staging");
    expect(code, text).to.equal(0);
  });

  it("fails where a revision failed that another client created", async () => {
    const { id, latest_revision_id: latest } = await deployment();
    const outcome = { stage: "build", status: "BUILD_FAILED", reason: "no disk left" } as const;
    team.platform.platform.admin.addOutcome(outcome);
    await team.platform.request("POST", `/v2/deployments/${id}/revisions/${latest}/redeploy`, {});
    await team.platform.untilRevision(id, "BUILD_FAILED");
    const { code, text } = await team.run("scripts/drift.sh staging");
    expect(code, text).to.equal(1);
    expect(text).to.contain("A revision failed that no release created:");
    expect(text).to.contain("ended with BUILD_FAILED; a push or another client created it");
  });

  it("says so where nothing could be compared", async () => {
    const wrong = { AGENTSERVER_API_KEY: "revoked" };
    const { code, text } = await team.runIn(await team.clone(), "scripts/drift.sh staging", wrong);
    expect(code).not.to.be.oneOf([0, 7]);
    expect(text).to.match(
      /Another release of staging\/2 could not be previewed \(exit code \d+\):/,
    );
    expect(text).to.contain("401").and.contain("check agentserver:apiKey");
  });

  describe("reports on GitHub", () => {
    let clone = "";
    const sent = async (command: string, found: string) => {
      await writeFile(join(clone, "found.txt"), found);
      await writeFile(join(clone, "gh.log"), "");
      const { code, text } = await team.runIn(clone, command);
      expect(code, text).to.equal(0);
      const [, last] = (await readFile(join(clone, "gh.log"), "utf8")).trim().split("\n");
      return { last, text };
    };

    before(async () => {
      clone = await team.clone();
      await writeFile(join(clone, "report.md"), "Drift of staging\n\nIt differs.\n");
    });

    it("with an issue, and with a comment on it while it is open", async () => {
      expect((await sent("scripts/github/report.sh", "")).last).to.equal(
        "issue create --title Drift of staging --body-file report.md",
      );
      expect((await sent("scripts/github/report.sh", "12\n")).last).to.equal(
        "issue comment 12 --body-file report.md",
      );
    });

    it("with one comment on a pull request, which the next one replaces", async () => {
      expect((await sent("scripts/github/report.sh 7", "")).last).to.equal(
        "pr comment 7 --body-file report.md",
      );
      expect((await sent("scripts/github/report.sh 7", "345\n")).last).to.equal(
        "api --method PATCH repos/{owner}/{repo}/issues/comments/345 --field body=@report.md --silent",
      );
    });

    it("and lists the open pull requests", async () => {
      const { text } = await sent("scripts/github/open-pull-requests.sh", "3\n7\n");
      expect(text).to.equal("3\n7\n");
    });
  });
});
