import { expect } from "chai";
import {
  appendFile,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PlatformClock } from "../../../local/platform/clock";
import { Logs, type LogLine } from "../../../local/logs/logs";

const NAME = { deploymentId: "d", revisionId: "r", type: "build" } as const;
const MEGABYTE = 1024 * 1024;

describe("local/logs/logs", () => {
  let folder: string;
  let logs: Logs;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "agentserver-logs-"));
    logs = new Logs(folder, new PlatformClock());
  });
  afterEach(() => rm(folder, { recursive: true }));

  const page = (offset?: number | string | null, order: "asc" | "desc" = "asc", limit = 1000) =>
    logs.page(NAME, { limit, order, offset: offset == undefined ? undefined : Number(offset) });
  /** All lines that are left from a place on. */
  function walk(offset?: number | string | null, order: "asc" | "desc" = "asc", limit?: number) {
    const lines: LogLine[] = [];
    for (let next = offset; next !== null;) {
      const found = page(next, order, limit);
      lines.push(...found.logs);
      next = found.next_offset;
    }
    return lines.map(({ message }) => message);
  }
  const messages = () => walk();

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
    const lines = page().logs;
    expect(lines.map(({ level, message }) => [level, message])).to.deep.equal([
      ["INFO", "one"],
      ["ERROR", "two"],
    ]);
    expect(lines[0]?.timestamp).to.match(/^\d{4}-.*Z$/);
  });

  it("outlives what can't be written, and says in the log what is missing when it can again", async () => {
    logs.write(NAME, "INFO", "one", []);
    const [log, away] = [join(folder, "d", "r.build.log"), join(folder, "away")];
    await rename(log, away);
    await symlink(join(folder, "nowhere", "log"), log);
    logs.write(NAME, "INFO", "two\nthree", []);
    logs.write(NAME, "INFO", "four", []);
    expect(() => page()).to.throw("could not be written: 3");
    await rename(away, log);
    await appendFile(log, "2026-01-01T00:00:00.000Z INFO cut o");
    logs.write(NAME, "INFO", "five", []);
    logs.write(NAME, "INFO", "six", []);
    const [one, cut, gap, ...rest] = messages();
    expect([one, cut, ...rest]).to.deep.equal(["one", "cut o", "five", "six"]);
    expect(gap).to.match(/^lines missing here, as they could not be written: 3 \(E/);
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

  it("comes in pages without a gap, in either order, though lines are as long as they like", () => {
    const lengths = [1, 300_000, 0, 256 * 1024, 5, 700_000, 30, 1, 16_384];
    const lines = lengths.map((length, index) => `${index}${"é".repeat(length)}`);
    for (const line of lines) logs.write(NAME, "INFO", line, []);
    for (const limit of [1, 2, 3, 100]) {
      expect(walk(undefined, "asc", limit)).to.deep.equal(lines);
      expect(walk(undefined, "desc", limit)).to.deep.equal(lines.toReversed());
    }
  });

  it("goes on with the next line though a full file gave way meanwhile, or with the oldest that is left", () => {
    const fill = () => {
      for (let count = 0; count < 5; count += 1) logs.write(NAME, "INFO", "x".repeat(MEGABYTE), []);
    };
    logs.write(NAME, "INFO", "one\ntwo", []);
    const { next_offset } = page(undefined, "asc", 1);
    fill();
    logs.write(NAME, "INFO", "three\nfour", []);
    const end = walk(next_offset);
    expect([end[0], ...end.slice(-2)]).to.deep.equal(["two", "three", "four"]);
    const last = page(undefined, "desc", 1).next_offset;
    fill();
    expect(walk(last, "desc")[0]).to.equal("three");
    fill();
    expect(walk(next_offset)).to.deep.equal(walk());
    expect(walk(next_offset)[0]).to.contain("keeps its newest 10 MB");
  });

  it("reads no more of a full log than a page takes", async () => {
    for (let count = 0; count < 9; count += 1) logs.write(NAME, "INFO", "x".repeat(MEGABYTE), []);
    const bytesRead = async () =>
      Number(/rchar: (\d+)/.exec(await readFile("/proc/self/io", "utf8"))?.[1]);
    logs.write(NAME, "INFO", "one\n".repeat(1000), []);
    const before = await bytesRead();
    expect(page(undefined, "desc", 50).logs).to.have.length(50);
    expect((await bytesRead()) - before).to.be.below(MEGABYTE);
  });

  it("is readable for its user only", async () => {
    logs.write(NAME, "INFO", "one", []);
    expect((await stat(join(folder, "d", "r.build.log"))).mode & 0o777).to.equal(0o600);
  });
});
