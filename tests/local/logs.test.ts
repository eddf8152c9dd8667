import { expect } from "chai";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PlatformClock } from "../../local/clock";
import { Logs } from "../../local/logs";

const NAME = { deploymentId: "d", revisionId: "r", type: "build" } as const;
const MEGABYTE = 1024 * 1024;

describe("local/logs", () => {
  let folder: string;
  let logs: Logs;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "agentserver-logs-"));
    logs = new Logs(folder, new PlatformClock());
  });
  afterEach(() => rm(folder, { recursive: true }));

  const messages = async () => (await logs.read(NAME)).map(({ message }) => message);

  it("keeps each line with its time and level, in the order written", async () => {
    logs.write(NAME, "INFO", "one", []);
    logs.write(NAME, "ERROR", "two", []);
    const lines = await logs.read(NAME);
    expect(lines.map(({ level, message }) => [level, message])).to.deep.equal([
      ["INFO", "one"],
      ["ERROR", "two"],
    ]);
    expect(lines[0]?.timestamp).to.match(/^\d{4}-.*Z$/);
  });

  it("makes several lines of a text with line breaks", async () => {
    logs.write(NAME, "INFO", "one\r\ntwo\n\nthree\n", []);
    expect(await messages()).to.deep.equal(["one", "two", "", "three"]);
  });

  it("hides secret values of eight characters and more, also of several lines", async () => {
    const secrets = [
      { value: "hunter2-hunter2" },
      { value: "short" },
      { value: "line one\nline two!" },
    ];
    logs.write(NAME, "INFO", "hunter2-hunter2 and short", secrets);
    logs.write(NAME, "INFO", "now line two! of it", secrets);
    expect(await messages()).to.deep.equal(["*** and short", "now *** of it"]);
  });

  it("stops at ten megabytes, but still takes the reason of a failure", async () => {
    const line = "x".repeat(MEGABYTE);
    for (let count = 0; count < 12; count += 1) logs.write(NAME, "INFO", line, []);
    logs.write(NAME, "ERROR", "the reason", []);
    const { size } = await stat(join(folder, "d", "r.build.log"));
    expect(size).to.be.within(9 * MEGABYTE, 10 * MEGABYTE);
    const last = (await messages()).slice(-2);
    expect(last).to.deep.equal(["the log is full, what follows is left out", "the reason"]);
  });

  it("is empty when nothing was written, and after its deployment was removed", async () => {
    expect(await messages()).to.deep.equal([]);
    logs.write(NAME, "INFO", "one", []);
    logs.remove("d");
    expect(await messages()).to.deep.equal([]);
  });

  it("is readable for its user only", async () => {
    logs.write(NAME, "INFO", "one", []);
    expect((await stat(join(folder, "d", "r.build.log"))).mode & 0o777).to.equal(0o600);
  });
});
