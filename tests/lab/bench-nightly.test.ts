import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { REPOSITORY } from "../../scripts/project";

describe("lab/bench-nightly.mjs", () => {
  let dir: string;
  const git = (...args: string[]) => execFileSync("git", args, { cwd: dir, encoding: "utf8" });
  /** What a night prints whose bench prints this and ends so. */
  const night = (figures: string, code = 0) => {
    const bench = ["sh", "-c", `echo "${figures}"; exit ${code}`];
    const args = [join(REPOSITORY, "lab/bench-nightly.mjs"), ...bench];
    return spawnSync(process.execPath, args, { cwd: dir, encoding: "utf8" });
  };

  before(() => {
    dir = mkdtempSync(join(tmpdir(), "agentserver-bench-"));
    git("init", "--quiet", "--bare", "remote.git");
    git("init", "--quiet");
    git("remote", "add", "origin", join(dir, "remote.git"));
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    git(...identity, "commit", "--quiet", "--allow-empty", "-m", "first");
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  it("shows the figures beside the last ones that were whole, and keeps them", () => {
    expect(night("one").stdout).to.match(/Now[^]*one[^]*Before[^]*none yet/);
    const broken = night("two", 1);
    expect(broken.status).to.equal(1);
    expect(broken.stdout).to.match(/Now[^]*two[^]*Before[^]*one/);
    expect(night("three").stdout).to.match(/Now[^]*three[^]*Before[^]*one/);
    const log = git("--git-dir=remote.git", "log", "--format=%s", "benches").trim().split("\n");
    expect(log).to.have.length(2);
    expect(git("--git-dir=remote.git", "show", "benches:figures.txt")).to.contain("three");
  });
});
