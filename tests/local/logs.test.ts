import { expect } from "chai";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
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

  const messages = () => logs.read(NAME).map(({ message }) => message);

  /** The first character of each. */
  const initials = () =>
    messages()
      .map((message) => message.slice(0, 1))
      .join("");
  /** What they take on the disk. */
  const bytes = async () => {
    const files = await readdir(join(folder, "d"));
    const stats = await Promise.all(files.map((file) => stat(join(folder, "d", file))));
    return stats.reduce((sum, { size }) => sum + size, 0);
  };

  it("keeps each line with its time and level, in the order written", async () => {
    logs.write(NAME, "INFO", "one", []);
    logs.write(NAME, "ERROR", "two", []);
    const lines = logs.read(NAME);
    expect(lines.map(({ level, message }) => [level, message])).to.deep.equal([
      ["INFO", "one"],
      ["ERROR", "two"],
    ]);
    expect(lines[0]?.timestamp).to.match(/^\d{4}-.*Z$/);
  });

  it("makes several lines of a text with line breaks", async () => {
    logs.write(NAME, "INFO", "one\r\ntwo\n\nthree\n", []);
    expect(messages()).to.deep.equal(["one", "two", "", "three"]);
  });

  it("hides secret values of eight characters and more, also of several lines", async () => {
    const secrets = [
      { value: "hunter2-hunter2" },
      { value: "short" },
      { value: "line one\nline two!" },
    ];
    logs.write(NAME, "INFO", "hunter2-hunter2 and short", secrets);
    logs.write(NAME, "INFO", "now line two! of it", secrets);
    expect(messages()).to.deep.equal(["*** and short", "now *** of it"]);
  });

  it("keeps the newest ten megabytes, and says that older lines are gone", async () => {
    const line = (digit: number) => `${digit}`.repeat(MEGABYTE - 100);
    for (let digit = 1; digit <= 9; digit += 1) logs.write(NAME, "INFO", line(digit), []);
    expect(initials()).to.equal("12345a6789");
    for (let digit = 0; digit <= 9; digit += 1) logs.write(NAME, "INFO", line(digit), []);
    logs.write(NAME, "ERROR", "the reason", []);
    expect(await bytes()).to.be.within(5 * MEGABYTE, 10 * MEGABYTE);
    expect(messages()[0]).to.contain("keeps its newest 10 MB");
    expect(initials()).to.equal("a12345a6789t");
  });

  it("keeps the end of a text that is longer than that", async () => {
    logs.write(NAME, "INFO", "before", []);
    logs.write(NAME, "ERROR", `${"x".repeat(20 * MEGABYTE)}\nthe end`, []);
    expect(await bytes()).to.be.at.most(10 * MEGABYTE);
    expect(messages()).to.deep.equal(["before", "the end"]);
  });

  it("is empty when nothing was written, and after its deployment was removed", async () => {
    expect(messages()).to.deep.equal([]);
    logs.write(NAME, "INFO", "one", []);
    logs.remove("d");
    expect(messages()).to.deep.equal([]);
  });

  it("is readable for its user only", async () => {
    logs.write(NAME, "INFO", "one", []);
    expect((await stat(join(folder, "d", "r.build.log"))).mode & 0o777).to.equal(0o600);
  });
});
