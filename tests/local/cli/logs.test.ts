import { expect } from "chai";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure } from "../../../local/cli/command-line";
import { readLogs, type LogsOptions } from "../../../local/cli/logs";
import type { Deployment } from "../../../sdk/schema";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { rejection } from "../../support/rejection";
import { aFolder, removeFolder } from "../children";

const CLI = join(__dirname, "../../../local/cli/main.js");
const LINE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (.*)$/;
const SIMULATED = "simulated: nothing runs, this stage takes 0.01 s";
/** More than three of the largest pages of a log. */
const REASON = Array.from({ length: 3001 }, (_, index) => `reason ${index}`);

describe("local/cli/logs", () => {
  let t: TestPlatform;
  let deployed: Deployment;
  let failed: Deployment;
  before(async () => {
    t = await startTestPlatform();
    deployed = await t.create({ name: "support" });
    await t.untilRevision(deployed.id, "DEPLOYED");
    const reason = REASON.join("\n");
    t.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason });
    const secrets = [{ name: "LOG_LEVEL", value: "debug" }];
    await t.request("PATCH", `/v2/deployments/${deployed.id}`, { secrets });
    await t.untilRevision(deployed.id, "BUILD_FAILED");
    failed = await t.get(deployed.id);
  });
  after(() => t.close());

  const options = (changes: Partial<LogsOptions> = {}): LogsOptions => ({
    deployment: "support",
    dataDir: t.dataDir,
    ...changes,
  });
  /** The lines without their times. */
  async function read(changes?: Partial<LogsOptions>): Promise<(string | undefined)[]> {
    const lines: string[] = [];
    for await (const line of readLogs(options(changes))) lines.push(line);
    return lines.map((line) => LINE.exec(line)?.[1]);
  }
  async function reasonOf(changes: Partial<LogsOptions>): Promise<string> {
    const error = await rejection(read(changes));
    expect(error).to.be.instanceOf(CommandFailure);
    return error instanceof CommandFailure ? error.message : "";
  }

  it("reads every line of the newest revision, with its time", async () => {
    expect(await read()).to.deep.equal([SIMULATED, ...REASON]);
  });

  it("reads the log of the build, then that of the deploy, or the one that is asked for", async () => {
    const revisionId = String(deployed.latest_revision_id);
    expect(await read({ revisionId })).to.deep.equal([SIMULATED, SIMULATED, SIMULATED]);
    expect(await read({ revisionId, type: "build" })).to.have.lengthOf(2);
    expect(await read({ revisionId, type: "deploy" })).to.have.lengthOf(1);
    expect(await read({ type: "deploy" })).to.deep.equal([]);
  });

  it("prints nothing that a terminal obeys", async () => {
    const { id } = await t.create({ name: "colourful" });
    const reason = "\x1b[2J\u009b1mred\rdone <{%reset%}>\ttab";
    await t.untilRevision(id, "DEPLOYED");
    t.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason });
    const body = { source_revision_config: { repo_ref: "next" } };
    await t.request("PATCH", `/v2/deployments/${id}`, body);
    await t.untilRevision(id, "BUILD_FAILED");
    const child = spawn(process.execPath, [CLI, "logs", "colourful", "--data-dir", t.dataDir]);
    let printed = "";
    child.stdout.on("data", (text: Buffer) => (printed += text.toString()));
    await once(child, "close");
    expect(printed).to.contain(String.raw`\x1b[2J\u009b1mred\x0ddone <\{%reset%}>` + "\ttab\n");
    const refused = spawn(process.execPath, [CLI, "logs", "\x1b[1m", "--data-dir", t.dataDir]);
    let told = "";
    refused.stderr.on("data", (text: Buffer) => (told += text.toString()));
    await once(refused, "close");
    expect(told).to.equal(String.raw`error: deployment '\x1b[1m' not found` + "\n");
  });

  it("takes the deployment's id for its name", async () => {
    expect(await read({ deployment: failed.id })).to.deep.equal(await read());
  });

  it("names the nearest deployment when there is none of the name", async () => {
    expect(await reasonOf({ deployment: "suport" })).to.equal(
      "deployment 'suport' not found; did you mean 'support'?",
    );
    expect(await reasonOf({ deployment: "billing" })).to.equal("deployment 'billing' not found");
  });

  it("names a revision that the deployment does not have", async () => {
    const revisionId = "11111111-1111-4111-8111-111111111111";
    expect(await reasonOf({ revisionId })).to.contain(
      `get build log of revision '${revisionId}': 404`,
    );
  });

  it("says what to do when no platform has run in the folder, or none runs any more", async () => {
    const folder = await aFolder();
    try {
      expect(await reasonOf({ dataDir: folder })).to.match(
        /^cannot read .*platform\.json: ENOENT; set --data-dir to the data folder of a local platform/,
      );
      const stopped = await startTestPlatform({ dataDir: join(folder, "data") });
      await stopped.platform.close();
      const dataDir = join(folder, "data");
      expect(await reasonOf({ dataDir })).to.equal(
        `cannot connect to the local platform at ${stopped.platform.url}; start it with \`pulumi-agentserver local --data-dir ${dataDir}\``,
      );
    } finally {
      await removeFolder(folder);
    }
  });

  it("says what to do when platform.json is damaged", async () => {
    const dataDir = await aFolder();
    const path = join(dataDir, "platform.json");
    try {
      for (const [text, reason] of [
        ["{", /JSON/],
        ['{"url":1}', /url/],
      ] as const) {
        await writeFile(path, text);
        expect(await reasonOf({ dataDir }))
          .to.match(reason)
          .and.satisfy((message: string) => message.startsWith(`${path} is not valid: `))
          .and.contain("start the platform on the folder again");
      }
    } finally {
      await removeFolder(dataDir);
    }
  });

  describe("on the command line", () => {
    const start = (...args: string[]) =>
      spawn(process.execPath, [CLI, "logs", ...args, "--data-dir", t.dataDir]);
    async function run(...args: string[]) {
      const child = start(...args);
      const output = { stdout: "", stderr: "" };
      child.stdout.on("data", (text: Buffer) => (output.stdout += text.toString()));
      child.stderr.on("data", (text: Buffer) => (output.stderr += text.toString()));
      const [exitCode] = await once(child, "close");
      return { ...output, exitCode };
    }

    it("prints the lines, with exit code 0", async () => {
      const { stdout, stderr, exitCode } = await run("support", "--type", "build");
      expect([stderr, exitCode]).to.deep.equal(["", 0]);
      expect(stdout.split("\n")).to.have.lengthOf(REASON.length + 2);
    });

    it("says so beside the output when there is no line yet", async () => {
      expect(await run("support", "--type", "deploy")).to.deep.equal({
        stdout: "",
        stderr: "no log lines yet\n",
        exitCode: 0,
      });
    });

    it("says why it can't, with exit code 1", async () => {
      const { stdout, stderr, exitCode } = await run("other");
      expect([stdout, exitCode]).to.deep.equal(["", 1]);
      expect(stderr).to.match(/^error: deployment 'other' not found/);
    });

    it("ends when nobody reads on", async () => {
      const child = start("support");
      await once(child.stdout, "data");
      child.stdout.destroy();
      let stderr = "";
      child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
      expect(await once(child, "close")).to.deep.equal([0, null]);
      expect(stderr).to.equal("");
    });
  });
});
