import { momentOf } from "../../cli/values";
import { expect } from "chai";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";
import { join } from "node:path";
import { CommandFailure } from "../../cli/failure";
import { type LogsOptions, printLogs } from "../../cli/revision-logs";
import type { Deployment } from "../../sdk/schema";
import { poll, startTestPlatform, type TestPlatform } from "../support/platform";
import { rejection } from "../support/rejection";
import { testTerminal } from "./terminal";

const CLI = join(__dirname, "../../cli/main.js");
const LINE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (.*)$/;
const SIMULATED = "simulated: nothing runs, this stage takes 0.01 s";
/** More than three of the largest pages of a log. */
const REASON = Array.from({ length: 3001 }, (_, index) => `reason ${index}`);

describe("the command logs", () => {
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

  async function print(changes: Partial<LogsOptions> = {}, terminal = testTerminal()) {
    const options = { deployment: "support", dataDir: t.dataDir, follow: false, json: false };
    await printLogs({ ...options, ...changes }, terminal);
    return terminal;
  }
  /** The lines without their times. */
  async function read(changes?: Partial<LogsOptions>): Promise<(string | undefined)[]> {
    return (await print(changes)).lines().map((line) => LINE.exec(line)?.[1]);
  }
  async function reasonOf(changes: Partial<LogsOptions>): Promise<string> {
    const error = await rejection(read(changes));
    expect(error).to.be.instanceOf(CommandFailure);
    return error.message;
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
    expect(told.split("\n").slice(1).join("\n")).to.equal(
      String.raw`error: deployment '\x1b[1m' not found` + "\n",
    );
  });

  it("takes the deployment's id for its name", async () => {
    expect(await read({ deployment: failed.id })).to.deep.equal(await read());
  });

  it("takes the beginning of a name for the name", async () => {
    expect(await read({ deployment: "supp" })).to.deep.equal(await read());
  });

  it("names a revision that the deployment does not have", async () => {
    const revisionId = "11111111-1111-4111-8111-111111111111";
    expect(await reasonOf({ revisionId })).to.contain(
      `deployment 'support' does not have revision ${revisionId}`,
    );
  });

  it("prints the newest lines of each log only", async () => {
    expect(await read({ tail: 2 })).to.deep.equal(REASON.slice(-2));
    expect(await read({ tail: 1500 })).to.deep.equal(REASON.slice(-1500));
    expect(await read({ tail: 9999 })).to.deep.equal([SIMULATED, ...REASON]);
    const revisionId = String(deployed.latest_revision_id);
    expect(await read({ revisionId, tail: 1 })).to.deep.equal([SIMULATED, SIMULATED]);
  });

  it("prints only lines since a time, or since some time ago", async () => {
    expect(await read({ since: "1h" })).to.have.lengthOf(REASON.length + 1);
    const [last] = (await print({ tail: 1, json: true })).json();
    const { timestamp } = z.object({ timestamp: z.string() }).parse(last);
    const since = new Date(Date.parse(timestamp) + 1).toISOString();
    expect(await read({ since })).to.deep.equal([]);
    expect(await read({ since: timestamp })).to.include(REASON.at(-1));
  });

  it("takes a time without an offset for UTC, as it prints times", () => {
    const { TZ } = process.env;
    process.env["TZ"] = "Asia/Tokyo";
    const times = ["2026-01-02T03:04", "2026-01-02 03:04:00.0", "2026-01-02T05:04+02:00"];
    const moments = times.map((time) => momentOf(time, new Date()).toISOString());
    if (TZ === undefined) delete process.env["TZ"];
    else process.env["TZ"] = TZ;
    expect(new Set(moments)).to.have.all.keys("2026-01-02T03:04:00.000Z");
  });

  it("prints a fixed shape as lines of JSON", async () => {
    const [line] = (await print({ tail: 1, json: true })).json();
    expect(line).to.have.keys("type", "revisionId", "timestamp", "level", "message");
    expect(line).to.include({ type: "build", level: "ERROR", message: "reason 3000" });
  });

  it("prints what the agent server prints from the log of the revision that serves", async () => {
    expect(await read({ type: "server" })).to.deep.equal([SIMULATED]);
  });

  describe("that are followed", () => {
    let other: TestPlatform;
    beforeEach(async () => {
      other = await startTestPlatform({ stageSeconds: 3600 });
    });
    afterEach(() => other.close());
    const advance = () => other.admin("POST", "/clock", { advanceSeconds: 3600 });
    const follow = (changes: Partial<LogsOptions> = {}, terminal = testTerminal()) => {
      const followed = print({ dataDir: other.dataDir, follow: true, ...changes }, terminal);
      return { terminal, followed };
    };
    const until = (terminal: ReturnType<typeof testTerminal>, count: number) =>
      poll(`${count} lines`, async () => ({
        fits: terminal.lines().length >= count,
        seen: terminal.lines(),
      }));

    it("go on while the revision is in progress, and end with it", async () => {
      await other.create({ name: "support" });
      const { terminal, followed } = follow();
      await until(terminal, 1);
      await advance();
      await until(terminal, 2);
      await advance();
      await advance();
      await followed;
      expect(terminal.lines().map((line) => LINE.exec(line)?.[1])).to.deep.equal(
        Array.from({ length: 3 }, () => SIMULATED.replace("0.01", "3600")),
      );
    });

    it("end with a revision that has failed, after its last line", async () => {
      await other.create({ name: "support" });
      const { terminal, followed } = follow({ tail: 1 });
      await until(terminal, 1);
      const reason = REASON.join("\n");
      other.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason });
      await advance();
      await advance();
      await followed;
      expect(terminal.lines()).to.have.lengthOf(REASON.length + 1);
      expect(terminal.lines().at(-1)).to.match(/reason 3000$/);
    });

    it("of a server go on with the revision that serves next", async () => {
      const { id } = await other.create({ name: "support" });
      for (let stage = 0; stage < 3; stage += 1) await advance();
      await other.untilRevision(id, "DEPLOYED");
      const { terminal, followed } = follow({ type: "server" });
      await until(terminal, 1);
      const secrets = [{ name: "A", value: "1" }];
      await other.request("PATCH", `/v2/deployments/${id}`, { secrets });
      for (let stage = 0; stage < 3; stage += 1) await advance();
      await until(terminal, 2);
      // Its process would end it; here the platform goes away with the deployment.
      await other.request("DELETE", `/v2/deployments/${id}`);
      await advance();
      expect((await rejection(followed)).message).to.contain("404");
    });

    it("continue over a restart of the platform", async () => {
      await other.create({ name: "support" });
      const { terminal, followed } = follow();
      await until(terminal, 1);
      await other.platform.close();
      await poll("a note", async () => ({
        fits: terminal.printed.err.includes("trying again"),
        seen: terminal.printed.err,
      }));
      await other.restart({ stageSeconds: 0.01 });
      await followed;
      expect(terminal.lines().at(-1)).to.contain("simulated: nothing runs");
    });
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

    const first = () => `control plane: ${t.platform.url} (${join(t.dataDir, "platform.json")})`;

    it("prints the lines, with exit code 0", async () => {
      const { stdout, stderr, exitCode } = await run("support", "--type", "build");
      expect([stderr, exitCode]).to.deep.equal([`${first()}\n`, 0]);
      expect(stdout.split("\n")).to.have.lengthOf(REASON.length + 2);
    });

    it("says so beside the output when there is no line yet", async () => {
      expect(await run("support", "--type", "deploy")).to.deep.equal({
        stdout: "",
        stderr: `${first()}\nno log lines yet\n`,
        exitCode: 0,
      });
    });

    it("says why it can't, with exit code 1", async () => {
      const { stdout, stderr, exitCode } = await run("other");
      expect([stdout, exitCode]).to.deep.equal(["", 1]);
      expect(stderr.split("\n")[1]).to.match(/^error: deployment 'other' not found/);
    });

    it("ends when nobody reads on", async () => {
      const child = start("support");
      await once(child.stdout, "data");
      child.stdout.destroy();
      let stderr = "";
      child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
      expect(await once(child, "close")).to.deep.equal([0, null]);
      expect(stderr).to.be.oneOf(["", `${first()}\n`]);
    });
  });
});
