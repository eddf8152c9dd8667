import { expect } from "chai";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeLong } from "../../support/tiers";
import { useTeam } from "./team";

const DIGEST = "0123456789abcdef".repeat(4);
const IMAGE = `registry.example.com/acme/support@sha256:${DIGEST}`;

/** Takes the place of GitHub's command line: writes its arguments down and prints what was found. */
const RECORDER = `#!/bin/sh
printf '%s\\n' "$*" >>"$TEAM/gh.log"
case "$1 $2" in
"api --paginate" | "issue list") cat "$TEAM/found" ;;
esac
`;

/** None of these comes as far as Pulumi. */
describeLong("the line of an environment of examples/gitops", () => {
  const team = useTeam();
  let first = "";
  let second = "";
  const pass = (name: string, commit: string) => team.tag(`passed/${name}/${commit}`, commit);
  const listed = async (ref?: string) =>
    (await team.succeed("scripts/environments.sh origin/main", ref)).trim().split("\n");

  before(async () => {
    first = await team.git("rev-parse", "main");
    second = await team.commit("Second");
  });

  it("names nothing that has not passed the environment before", async () => {
    const none = await team.fail("scripts/promote.sh production");
    expect(none).to.contain("refused: there is nothing that production can run, since nothing has");
    const text = await team.fail(`scripts/promote.sh production ${first}`);
    expect(text).to.contain(`refused: ${first} has not passed staging`);
  });

  it("is proposed as the newest that passed, or as what is named, and only it changes", async () => {
    await pass("staging", second);
    await pass("staging", first);
    await team.commit("Newest");
    await team.succeed("scripts/promote.sh production");
    const branch = `promote/production-${second.slice(0, 12)}`;
    await team.git("fetch", "--quiet", "origin");
    const diff = await team.git("diff", "--unified=0", `main...origin/${branch}`);
    expect(diff.match(/^[-+] .*/gm)).to.deep.equal([
      '-      "release": null',
      `+      "release": "${second}"`,
    ]);
    const named = await team.succeed(`scripts/promote.sh production ${first.slice(0, 9)}`);
    expect(named).to.contain(`promote/production-${first.slice(0, 12)}`);
  });

  it("meets a conflict where another proposal was approved first", async () => {
    await team.merge(`promote/production-${first.slice(0, 12)}`);
    const conflict = await team.merge(`promote/production-${second.slice(0, 12)}`).then(
      () => "",
      ({ stdout }: { readonly stdout: string }) => stdout,
    );
    expect(conflict).to.contain("CONFLICT (content): Merge conflict in environments.json");
    await team.git("merge", "--abort");
  });

  it("is read by the jobs: what is pinned, what follows, what is no longer listed", async () => {
    await pass("europe", first);
    expect(await listed()).to.deep.equal([
      'pinned=["production"]',
      'following=["staging"]',
      'all=["staging","production","europe"]',
      "changed=[]",
    ]);
    const mine = { "environments.json": '{"environments":[{"name":"staging","release":"x"}]}' };
    await team.commit("Another line", mine, "proposal");
    const text = await team.succeed("scripts/environments.sh origin/proposal");
    expect(text).to.contain('changed=["staging"]');
  });

  const refused: readonly (readonly [what: string, line: () => Promise<string>, words: string])[] =
    [
      [
        "a commit beside the default branch",
        () => team.commit("Never merged", {}, "beside"),
        "which is not in the default branch of origin",
      ],
      ["a commit that is nowhere", async () => "f".repeat(40), "which is not in the default"],
      ["a branch", async () => "feature", "which is neither main, nor the environment before it"],
      ["an image's tag, which moves", async () => "acme/support:1.4", "nor an image with its"],
      ["an environment that is not the one before", async () => "europe", "which is neither main"],
    ];
  for (const [what, line, words] of refused)
    it(`is refused where it names ${what}, in a deploy, and by the nightly run with a report`, async () => {
      await team.setLine("production", await line());
      expect(await team.fail("scripts/deploy.sh production")).to.contain(words);
      const clone = await team.clone();
      const { code } = await team.runIn(clone, "scripts/drift.sh production");
      expect(code).to.equal(1);
      const report = await readFile(join(clone, "report.md"), "utf8");
      expect(report).to.match(/^drift production\n\nrefused: production cannot run /);
      expect(report).to.contain(words);
    });

  it("is refused by the nightly run where the tag of its release was moved", async () => {
    await team.setLine("production", first);
    await team.tag(`release/${first.slice(0, 12)}`, second);
    const text = await team.fail("scripts/drift.sh production");
    expect(text).to.contain(`was moved: it is ${second} instead of ${first}`);
  });

  it("follows what an environment pins, and an image too, once that has passed there", async () => {
    await team.setLine("staging", IMAGE);
    await team.setLine("production", "staging");
    expect(await team.succeed("scripts/deploy.sh production")).to.contain("there is nothing that");
    await team.tag(`passed/staging/${DIGEST}`, second);
    await team.setLine("production", null);
    const branch = `promote/production-${DIGEST.slice(0, 12)}`;
    expect(await team.succeed("scripts/promote.sh production")).to.contain(branch);
    await team.git("fetch", "--quiet", "origin");
    const proposed = await team.git("show", `origin/${branch}:environments.json`);
    expect(JSON.parse(proposed).environments[1].release).to.equal(IMAGE);
  });

  it("counts no tag that is at another commit than it names", async () => {
    await team.setLine("staging", "main");
    await team.tag(`passed/staging/${await team.git("rev-parse", "main")}`, first);
    await team.succeed("scripts/promote.sh production");
    expect(await team.fail("scripts/promote.sh production main")).to.contain("has not passed");
  });

  it("is reported on GitHub: as an issue, or a comment that only a workflow's comment gives way to", async () => {
    await team.addCommand("gh", RECORDER);
    const clone = await team.clone();
    await writeFile(join(clone, "report.md"), "drift staging\n\nIt differs.\n");
    const sent = async (command: string, found: string) => {
      await writeFile(join(team.dir, "found"), found);
      await team.succeedIn(clone, command);
      return (await readFile(join(team.dir, "gh.log"), "utf8")).trim().split("\n");
    };
    const issue = await sent("scripts/github/report.sh", "");
    const report = "scripts/github/report.sh";
    expect(issue.at(-1)).to.match(/^issue create --title drift staging /);
    expect((await sent(report, "12\n")).at(-1)).to.equal("issue comment 12 --body-file report.md");
    const [asked, created] = (await sent(`${report} 7`, "")).slice(-2);
    expect(asked).to.contain('.user.login == "github-actions[bot]"');
    expect(created).to.equal("pr comment 7 --body-file report.md");
    expect((await sent(`${report} 7`, "345\n")).at(-1)).to.match(/^api --method PATCH .*\/345 /);
    await sent("scripts/github/open-pull-requests.sh", "3\n7\n");
  });
});
