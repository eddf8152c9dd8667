import { expect } from "chai";
import { Team } from "./team";

describe("the records of examples/gitops", () => {
  let team: Team;
  let commit = "";
  let release = "";

  /** Signs a tag with a key, as the pipeline signs a record of staging, and pushes it. */
  const sign = async (name: string, file: string, at = commit, line = release) => {
    const signer = ["-c", "gpg.format=ssh", "-c", `user.signingKey=${file}`];
    await team.git(...signer, "tag", "--sign", name, at, "-m", line, "-m", `packages ${commit}`);
    await team.git("push", "--quiet", "origin", `refs/tags/${name}`);
  };
  const pipeline = () => team.pipeline.file;
  /** Promotes and rolls back to a record: both refuse it with these words, and nothing is deployed. */
  const expectRefused = async (record: string, words: string) => {
    const scripts = [
      ["promote", `scripts/promote.sh --yes production ${record}`],
      ["rollback", `scripts/rollback.sh --yes staging ${record}`],
    ] as const;
    for (const [name, command] of scripts) {
      const { code, text } = await team.run(command);
      expect(text).to.contain(`${name}: refused: ${words}`);
      expect(code).to.equal(1);
    }
    expect(await team.deployments()).to.deep.equal([]);
  };

  before(async () => {
    team = await Team.create();
    commit = await team.git("rev-parse", "main");
    release = `refs/tags/release/${commit.slice(0, 12)}`;
    await team.tag(release.slice("refs/tags/".length), commit);
  });
  after(() => team.remove());

  it("are refused where the tag is not annotated", async () => {
    await team.tag("staging/1", commit);
    await expectRefused(
      "staging/1",
      "staging/1 is not signed by a key of allowed_signers on the default branch: error: ",
    );
  });

  it("are refused where they are annotated, and not signed", async () => {
    await team.git("tag", "--annotate", "staging/2", commit, "-m", release);
    await team.git("push", "--quiet", "origin", "refs/tags/staging/2");
    await expectRefused("staging/2", "staging/2 is not signed by a key of allowed_signers");
  });

  it("are refused where another key signed them, also where their own tree allows it", async () => {
    const { file, allowed } = await team.signer("mallory");
    await sign("staging/3", file);
    await expectRefused("staging/3", "staging/3 is not signed by a key of allowed_signers");
    const own = await team.commit("Allow mallory", { allowed_signers: allowed }, "mallory");
    await sign("staging/4", file, own);
    await expectRefused("staging/4", "staging/4 is not signed by a key of allowed_signers");
  });

  it("are refused where their commit is beside the default branch", async () => {
    const beside = await team.commit("Never merged", {}, "beside");
    await sign("staging/5", pipeline(), beside);
    await expectRefused(
      "staging/5",
      `staging/5 is no release: its commit ${beside} is not in the default branch on origin`,
    );
  });

  it("are refused where they were signed under another name", async () => {
    await sign("staging/6", pipeline());
    await team.git("push", "--quiet", "origin", "refs/tags/staging/6:refs/tags/staging/7");
    await expectRefused("staging/7", "staging/7 was signed as another record");
  });

  it("are refused where the tag that they released was moved or deleted", async () => {
    const other = await team.commit("Another commit");
    await sign("staging/8", pipeline());
    const moved = (now: string) =>
      `${release} was moved: it is ${now}, and staging/8 released commit ${commit}`;
    await team.tag(release.slice("refs/tags/".length), other);
    await expectRefused("staging/8", moved(other));
    await team.deleteTag(release.slice("refs/tags/".length));
    await expectRefused("staging/8", moved("missing"));
  });

  it("are refused where there is none, or one of another environment", async () => {
    await expectRefused("staging/9", "there is no record staging/9 on origin");
    const { text } = await team.run("scripts/promote.sh --yes production production/1");
    expect(text).to.contain("promote: refused: production/1 is no record of staging");
  });

  it("are not made of a commit beside the default branch, nor for an environment that is promoted to", async () => {
    const beside = await team.run("scripts/release.sh staging", "beside");
    expect(beside.text).to.match(/release: refused: commit \S+ is not in the default branch on/);
    const later = await team.run("scripts/release.sh production");
    expect(later.text).to.contain("production is promoted to: scripts/promote.sh production");
    expect(await team.stacks()).to.deep.equal([]);
  });

  it("are signed before anything changes: a key that is not allowed is refused, and its value not shown", async () => {
    const { key } = await team.signer("former");
    for (const [value, words] of [
      [key, "staging/9 is not signed by a key of allowed_signers"],
      ["no key", "a record cannot be signed: set SIGNING_KEY"],
    ] as const) {
      const clone = await team.clone();
      const { code, text } = await team.runIn(clone, "scripts/release.sh staging", {
        SIGNING_KEY: value,
      });
      expect(text).to.contain(words).and.not.to.contain(key.split("\n")[1]);
      expect(code).to.equal(1);
    }
    expect(await team.deployments()).to.deep.equal([]);
  });
});
