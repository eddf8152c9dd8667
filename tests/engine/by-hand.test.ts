import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect } from "chai";
import { REPOSITORY } from "../../scripts/project";

/** The blocks of shell commands in a chapter of the README, as they are written there. */
async function commandsOf(chapter: string): Promise<string[]> {
  const readme = await readFile(join(REPOSITORY, "README.md"), "utf8");
  const [, text = ""] = readme.split(`### ${chapter}\n`);
  const [own = ""] = text.split(/^##/m);
  return [...own.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block);
}

describe("what the README says to type in the repository's root", () => {
  let root: string;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), "agentserver-by-hand-"));
    const { stdout } = await promisify(execFile)("git", ["ls-files"], { cwd: REPOSITORY });
    const files = stdout
      .split("\n")
      .filter((file) => /^(package|Pulumi|tsconfig|examples)/.test(file));
    for (const file of [...files, "dist"])
      await cp(join(REPOSITORY, file), join(root, file), { recursive: true });
    await symlink(join(REPOSITORY, "node_modules"), join(root, "node_modules"));
  });
  after(() => rm(root, { recursive: true, force: true }));

  it("deploys the quickstart onto the local platform and takes it away again", async () => {
    const [platformCommand = "", commands = ""] = await commandsOf("By hand");
    // A port of its own, since 8123 may be taken on this machine; and yes to every question.
    const platform = spawn("sh", ["-c", `exec ${platformCommand.trim()} --port 0`], {
      cwd: root,
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const [line] = await once(createInterface(platform.stdout), "line");
      expect(String(line)).to.match(/http:\/\/127\.0\.0\.1:\d+/);
      const env = {
        ...process.env,
        PULUMI_SKIP_CONFIRMATIONS: "true",
        PULUMI_SKIP_UPDATE_CHECK: "true",
      };
      const typed = promisify(execFile)("bash", ["-euo", "pipefail", "-c", commands], {
        cwd: root,
        env,
      });
      const { stdout } = await typed.catch(({ stdout: printed, stderr }) => {
        throw new Error(`the commands failed:\n${printed}${stderr}`);
      });
      expect(stdout).to.contain("+ 2 created");
      expect(stdout).to.contain('"variables":["LOG_LEVEL","MODEL_API_KEY"]');
      expect(stdout).to.contain("2 unchanged");
      expect(stdout).to.contain("- 2 deleted");
      expect(stdout).not.to.contain("not-a-real-key");
    } finally {
      const ended = once(platform, "exit");
      process.kill(-Number(platform.pid), "SIGTERM");
      await ended;
    }
  });
});
