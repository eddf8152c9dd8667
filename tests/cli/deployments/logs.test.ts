import { momentOf } from "../../../cli/values";
import { expect } from "chai";
import { z } from "zod";
import { join } from "node:path";
import { type LogsOptions, printLogs } from "../../../cli/deployments/logs";
import { systemClock } from "../../../shared/clock";
import { useFreshPlatform, usePlatform } from "../../support/platform";
import { inTokyo } from "../../support/time-zone";
import { reasonOf } from "../../support/rejection";
import { until } from "../../local/children";
import { testTerminal } from "../terminal";

const LINE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (.*)$/;
const SIMULATED = "simulated: nothing runs, this stage takes 0.01 s";
/** More than three of the largest pages of a log. */
const REASON = Array.from({ length: 3001 }, (_, index) => `reason ${index}`);

describe("the command logs", () => {
  const t = usePlatform();
  let revisionId: string;
  before(async () => {
    const { id, latest_revision_id } = await t.create({ name: "support" });
    revisionId = String(latest_revision_id);
    await t.untilRevision(id, "DEPLOYED");
    t.fails("BUILD_FAILED", REASON.join("\n"));
    const secrets = [{ name: "LOG_LEVEL", value: "debug" }];
    await t.request("PATCH", `/v2/deployments/${id}`, { secrets });
    await t.untilRevision(id, "BUILD_FAILED");
  });

  async function print(changes: Partial<LogsOptions> = {}, terminal = testTerminal()) {
    const options = { deployment: "support", dataDir: t.dataDir, follow: false, json: false };
    await printLogs({ ...options, ...changes }, terminal);
    return terminal;
  }
  const read = async (changes?: Partial<LogsOptions>): Promise<(string | undefined)[]> =>
    (await print(changes)).lines().map((line) => LINE.exec(line)?.[1]);

  it("reads every line of the newest revision, with its time", async () => {
    expect(await read()).to.deep.equal([SIMULATED, ...REASON]);
  });

  it("reads the log of the build, then that of the deploy, or the one that is asked for", async () => {
    expect(await read({ revisionId })).to.deep.equal([SIMULATED, SIMULATED, SIMULATED]);
    expect(await read({ revisionId, type: "build" })).to.have.lengthOf(2);
    expect(await read({ revisionId, type: "deploy" })).to.have.lengthOf(1);
    expect(await read({ type: "deploy" })).to.deep.equal([]);
  });

  it("prints the newest lines of each log only", async () => {
    expect(await read({ tail: 2 })).to.deep.equal(REASON.slice(-2));
    expect(await read({ tail: 1500 })).to.deep.equal(REASON.slice(-1500));
    expect(await read({ tail: 9999 })).to.deep.equal([SIMULATED, ...REASON]);
    expect(await read({ revisionId, tail: 1 })).to.deep.equal([SIMULATED, SIMULATED]);
  });

  it("prints only lines since a time, or since some time ago", async () => {
    expect(await read({ since: "1h" })).to.have.lengthOf(REASON.length + 1);
    const [last] = (await print({ tail: 1, json: true })).json();
    const { timestamp } = z.object({ timestamp: z.string() }).parse(last);
    const since = new Date(Date.parse(timestamp) + 1).toISOString();
    expect(await read({ since })).to.deep.equal([]);
    expect(await read({ since, tail: 2 })).to.deep.equal([]);
    expect(await read({ since: timestamp })).to.include(REASON.at(-1));
  });

  it("takes a time without an offset for UTC, as it prints times", async () => {
    const moment = await inTokyo(() => momentOf("2026-01-02T03:04", new Date()));
    expect(moment.toISOString()).to.equal("2026-01-02T03:04:00.000Z");
  });

  it("counts a time span in seconds, minutes, hours or days", () => {
    const now = new Date();
    const ago = (text: string) => now.getTime() - momentOf(text, now).getTime();
    expect(["45s", "10m", "2h", "3d"].map(ago)).to.deep.equal([45e3, 600e3, 7200e3, 259_200e3]);
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
    const other = useFreshPlatform({ stageSeconds: 3600 });
    afterEach(() => Object.assign(systemClock, { now: Date.now }));
    const advance = () => other.admin("POST", "/clock", { advanceSeconds: 3600 });
    const follow = (changes: Partial<LogsOptions> = {}, terminal = testTerminal()) => {
      const followed = print({ dataDir: other.dataDir, follow: true, ...changes }, terminal);
      return { terminal, followed };
    };
    const reaches = (what: string, figure: () => number, least: number) =>
      until(what, () => figure() >= least);
    const untilLines = (terminal: ReturnType<typeof testTerminal>, count: number) =>
      reaches(`${count} lines`, () => terminal.lines().length, count);

    it("go on while the revision is in progress, and end with it", async () => {
      await other.create({ name: "support" });
      const { terminal, followed } = follow();
      await untilLines(terminal, 1);
      await advance();
      await untilLines(terminal, 2);
      await advance();
      await advance();
      await followed;
      const stages = Array.from({ length: 3 }, () => SIMULATED.replace("0.01", "3600"));
      expect(terminal.lines().map((line) => LINE.exec(line)?.[1])).to.deep.equal(stages);
    });

    it("of a server go on with the revision that serves next", async () => {
      const { id } = await other.create({ name: "support" });
      for (let stage = 0; stage < 3; stage += 1) await advance();
      await other.untilRevision(id, "DEPLOYED");
      const { terminal, followed } = follow({ type: "server" });
      await untilLines(terminal, 1);
      const secrets = [{ name: "A", value: "1" }];
      await other.request("PATCH", `/v2/deployments/${id}`, { secrets });
      for (let stage = 0; stage < 3; stage += 1) await advance();
      await untilLines(terminal, 2);
      // Its process would end it; here the platform goes away with the deployment.
      await other.request("DELETE", `/v2/deployments/${id}`);
      await advance();
      expect(await reasonOf(followed)).to.contain("404");
    });

    it("continue over restarts of the platform, each after more time than one may take", async () => {
      await other.create({ name: "support" });
      const { terminal, followed } = follow();
      const revision = "GET /v2/deployments/{deployment_id}/revisions/{revision_id}";
      const asked = () => other.platform.admin.requests()[revision] ?? 0;
      const notes = () => terminal.printed.err.length;
      followed.catch(() => terminal.err("ended"));
      for (const [at, stageSeconds] of [3600, 0.01].entries()) {
        await untilLines(terminal, at + 1);
        await advance();
        await untilLines(terminal, at + 2);
        await reaches("the next round", asked, asked() + 1);
        Object.assign(systemClock, { now: () => Date.now() + (at + 1) * 120_000 });
        const noted = notes() + 1;
        await other.platform.close();
        await Promise.race([reaches("a note", notes, noted), followed]);
        await other.restart({ stageSeconds });
      }
      await followed;
      expect(terminal.lines().at(-1)).to.contain("simulated: nothing runs");
    });
  });

  it("says which log to read where no revision serves", async () => {
    t.fails("BUILD_FAILED", "no disk left");
    const { id } = await t.create({ name: "broken" });
    await t.untilRevision(id, "BUILD_FAILED");
    const { out, err } = (await print({ deployment: "broken", type: "server" })).printed;
    expect(out).to.equal("");
    expect(err).to.contain("no revision serves; without `--type server` the log of the newest");
  });

  it("says so beside the output when there is no line yet", async () => {
    const origin = `control plane: ${t.platform.url} (${join(t.dataDir, "platform.json")})`;
    expect((await print({ type: "deploy" })).printed).to.deep.equal({
      out: "",
      err: `${origin}\nno log lines yet\n`,
    });
  });
});
