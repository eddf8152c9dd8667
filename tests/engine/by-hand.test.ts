import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "chai";
import { commandsOf, makeRoot, type Root, type } from "../support/by-hand";
import { describeNightly } from "../support/tiers";

describeNightly("what the quickstart says to type in the repository's root", () => {
  let root: Root;

  before(async () => {
    root = await makeRoot();
  });
  after(() => root.remove());

  it("deploys the quickstart onto the local platform and takes it away again", async () => {
    const [platformCommand = "", commands = ""] = await commandsOf(
      "examples/quickstart/README.md",
      "By hand",
    );
    // A port of its own, since 8123 may be taken on this machine.
    const platform = spawn("sh", ["-c", `exec ${platformCommand.trim()} --port 0`], {
      cwd: root.dir,
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const [line] = await once(createInterface(platform.stdout), "line");
      expect(String(line)).to.match(/http:\/\/127\.0\.0\.1:\d+/);
      const printed = await type(commands, root.dir);
      expect(printed).to.contain("+ 2 created");
      expect(printed).to.contain('"variables":["LOG_LEVEL","MODEL_API_KEY"]');
      expect(printed).to.contain("2 unchanged");
      expect(printed).to.contain("- 2 deleted");
      expect(printed).not.to.contain("not-a-real-key");
      const configuration = await readFile(join(root.dir, "Pulumi.dev.yaml"), "utf8");
      expect(configuration).to.match(/modelApiKey:\n +secure: v1:/);
      expect(configuration, "one source of the key").not.to.contain("agentserver:apiKey");
    } finally {
      const ended = once(platform, "exit");
      process.kill(-Number(platform.pid), "SIGTERM");
      await ended;
    }
  });
});
