import { expect } from "chai";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { LogQuery, Logs } from "../../../local/logs/logs";
import type { Database } from "../../../local/sqlite/database";
import type { LogLines, LogName } from "../../../local/store/log-lines";
import { reasonOf } from "../../support/rejection";
import { until, useFolder } from "../children";
import { addRevision, openLogs } from "./logged";

const MEBIBYTE = 1024 * 1024;
const LONGEST = 16_384;
const Size = z.object({ page_count: z.int() });

describe("local/logs/logs", () => {
  const folder = useFolder();
  let database: Database;
  let lines: LogLines;
  let logs: Logs;
  let name: LogName;
  /** The lines stored in each transaction, by revision. */
  let batches: Record<string, number>[];
  let order: string[];

  function open() {
    ({ database, lines, logs } = openLogs(folder("platform.db")));
    const append = lines.append.bind(lines);
    [batches, order] = [[], []];
    lines.append = (parts) => {
      append(parts);
      order.push("batch");
      const counts = parts.map((part) => [part.name.revisionId, part.lines.length]);
      batches.push(Object.fromEntries(counts));
    };
  }
  async function close() {
    await logs.close();
    database.close();
  }
  beforeEach(() => {
    open();
    name = addRevision(database, "d", "r");
  });
  afterEach(() => close());

  const info = (text: string, log = name) => logs.write(log, "INFO", text, []);
  const page = (query: Partial<LogQuery> = {}, log = name) =>
    logs.page(log, { limit: 1000, order: "asc", ...query });
  /** All messages from a place on. */
  async function walk(query: Partial<LogQuery> = {}, log = name) {
    const messages: string[] = [];
    for (let offset: number | undefined = query.offset; ;) {
      const found = await page({ ...query, offset }, log);
      messages.push(...found.logs.map(({ message }) => message));
      if (found.next_offset === null) return messages;
      offset = Number(found.next_offset);
    }
  }
  const offsetAfter = async (query: Partial<LogQuery>) => Number((await page(query)).next_offset);
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`);
  /** More than one batch takes. */
  const flood = (count = 10_000, log = name) => {
    for (let line = 1; line <= count; line += 1) info(`${line}`, log);
  };
  const fillDisk = () => {
    const size = database.get(Size, "PRAGMA page_count");
    database.execute(`PRAGMA max_page_count = ${size?.page_count}`);
  };
  /** Lines up to the hundredth, for which a full disk has no room. */
  const overflow = (from: number) => {
    for (const line of numbers(from, 100)) info(`${line} ${"x".repeat(1000)}`);
  };
  const freeDisk = () => database.execute("PRAGMA max_page_count = 1000000");

  it("keeps each line with its time and level, in the order written, and makes lines of line breaks", async () => {
    info("one\r\ntwo\n\nthree\r\n");
    logs.write(name, "ERROR", "four", []);
    const found = (await page()).logs;
    expect(found.map(({ message }) => message)).to.deep.equal(["one", "two", "", "three", "four"]);
    expect(found.map(({ level }) => level).slice(3)).to.deep.equal(["INFO", "ERROR"]);
    expect(found[0]?.timestamp).to.match(/^\d{4}-.*Z$/);
  });

  it("hides secret values of eight characters and more, also of several lines, before they are stored", async () => {
    const values = ["hunter2!", "shorter", "line one\nline two!"];
    const secrets = values.map((value) => ({ value }));
    logs.write(name, "INFO", "hunter2! and shorter", secrets);
    logs.write(name, "INFO", "now line two! of it", secrets);
    expect(await walk()).to.deep.equal(["*** and shorter", "now *** of it"]);
    for (const file of ["platform.db", "platform.db-wal"])
      expect(await readFile(folder(file), "latin1")).not.to.match(/hunter2|line two/);
  });

  it("cuts an overlong line after its secrets are hidden, and replaces what SQLite can't store", async () => {
    const secret = "s".repeat(20);
    const long = "x".repeat(LONGEST - 10);
    const texts = [`${long}${secret}`, "y".repeat(LONGEST + 5), `a\0b \ud83d${long}xxxx\u{1f600}`];
    logs.write(name, "INFO", texts.join("\n"), [{ value: secret }]);
    expect(await walk()).to.deep.equal([
      `${long}***`,
      `${"y".repeat(LONGEST)} … (5 more characters)`,
      `a\ufffdb \ufffd${long}xxxx\ufffd … (1 more characters)`,
    ]);
  });

  it("keeps the newest 10 MiB", async () => {
    for (let count = 1; count <= 1000; count += 1) {
      info(`${count} ${"é".repeat(LONGEST / 2)}`);
      if (count % 50 === 0) await logs.flush(name);
    }
    const [notice, ...kept] = await walk();
    const bytes = kept.reduce((sum, message) => sum + Buffer.byteLength(message), 0);
    expect(bytes).to.be.within(10 * MEBIBYTE - 2 * LONGEST, 10 * MEBIBYTE);
    expect(notice).to.match(new RegExp(`^${1000 - kept.length} older lines removed`));
    expect(kept.at(-1)).to.match(/^1000 /);
  });

  it("keeps the end of a text that is longer than that", async () => {
    info("before");
    logs.write(name, "ERROR", `${"x".repeat(20 * MEBIBYTE)}\n${"y\n".repeat(1000)}the end`, []);
    const messages = await walk();
    expect(messages.join("\n")).to.have.length.below(MEBIBYTE);
    expect([messages[0], messages.at(-1)]).to.deep.equal(["before", "the end"]);
  });

  describe("pages", () => {
    it("have no gap in either order", async () => {
      const texts = [1, 300, 0, 16_384, 5, 700, 30, 1, 16_000].map((length) => "é".repeat(length));
      const written = texts.map((text, index) => `${index}${text}`.slice(0, LONGEST));
      for (const line of written) info(line);
      for (const limit of [1, 2, 3, 9, 100]) {
        expect(await walk({ limit })).to.deep.equal(written);
        expect(await walk({ limit, order: "desc" })).to.deep.equal(written.toReversed());
      }
    });

    it("go on with the next line while lines are added and older ones removed, or with the oldest that is left", async () => {
      info("one\ntwo\nthree");
      const up = await offsetAfter({ limit: 1 });
      const down = await offsetAfter({ limit: 1, order: "desc" });
      for (let count = 0; count < 10; count += 1) {
        flood(9999);
        await logs.flush(name);
      }
      expect((await walk({ offset: up }))[0]).to.equal("two");
      expect(await walk({ offset: down, order: "desc" })).to.deep.equal(["two", "one"]);
      flood(8);
      expect((await walk({ offset: up })).slice(0, 2)).to.deep.equal(["two", "three"]);
      info("last");
      const rest = await walk({ offset: up });
      expect(rest.slice(0, 2)).to.deep.equal([
        "2 older lines removed: a log keeps its newest 100000 lines and 10 MiB",
        "three",
      ]);
      expect(await walk({ offset: down, order: "desc" })).to.deep.equal([rest[0]]);
    });

    it("back from the newest lines and on from one have each line once, those with a text alone or all", async () => {
      const written = ["a1", "b1", "a2", "b2", "a3", "Échec"];
      info(written.join("\n"));
      for (const [text, all] of [
        ["", written],
        ["A", ["a1", "a2", "a3"]],
        ["ÉcH", ["Échec"]],
      ] as const) {
        const seen: string[] = [];
        for (let before: number | undefined; seen.length < 10;) {
          const found = await logs.tail(name, 2, { text, ...(before !== undefined && { before }) });
          if (found.length === 0) break;
          seen.unshift(...found.map(({ message }) => message));
          before = found[0]?.number;
        }
        expect(seen).to.deep.equal(all);
      }
      const [, second] = (await page()).logs;
      const rest = await logs.after(name, second?.number ?? 0, 100);
      expect(rest.map(({ message }) => message)).to.deep.equal(written.slice(2));
    });

    it("of all revisions have no gap in either order though lines have the same time, and hold the lines at both ends of the times asked for, and what has just been written", async () => {
      const other = addRevision(database, "e", "s");
      database.execute("UPDATE revisions SET deployment_id = 'd'");
      const at = (second: number) => `2001-01-01T00:00:0${second}.000Z`;
      const line = (message: string, second: number) => ({
        timestamp: at(second),
        level: "INFO",
        message,
      });
      for (const log of [other, name]) {
        const written = [1, 2, 2, 3].map((second, index) =>
          line(`${log.revisionId}${index}`, second),
        );
        lines.append([{ name: log, lines: written }]);
      }
      const read = async (direction: "asc" | "desc", times: object = {}) => {
        const messages: string[] = [];
        for (let offset: string | null | undefined; offset !== null && messages.length < 10;) {
          const query = { limit: 1, order: direction, ...times, ...(offset && { offset }) };
          const found = await logs.pageOfDeployment("d", "build", query);
          messages.push(...found.logs.map(({ message }) => message));
          offset = found.next_offset;
        }
        return messages;
      };
      const middle = ["r1", "r2", "s1", "s2"];
      const all = ["r0", "s0", ...middle, "r3", "s3"];
      expect(await read("asc")).to.deep.equal(all);
      expect(await read("desc")).to.deep.equal(all.toReversed());
      expect(await read("asc", { startTime: at(2), endTime: at(2) })).to.deep.equal(middle);
      info("now");
      expect(await read("asc")).to.deep.equal([...all, "now"]);
    });

    it("hold everything that has been written before they are read", async () => {
      flood(30_000);
      expect(await walk({ order: "desc", limit: 1000 })).to.include("30000");
      flood(3);
      expect((await walk({ order: "desc" })).slice(0, 3)).to.deep.equal(["3", "2", "1"]);
    });
  });

  describe("batches", () => {
    it("store lines that nobody reads, those of several logs in one transaction", async () => {
      const other = addRevision(database, "e", "s");
      info("one\ntwo");
      info("three", other);
      expect(batches).to.deep.equal([]);
      await until("the batch", () => batches.length > 0);
      expect(batches).to.deep.equal([{ r: 2, s: 1 }]);
      expect(lines.list(name, "asc", 10)).to.have.lengthOf(2);
    });

    it("are bounded, and other work has its turn between any two", async () => {
      const work = () => {
        order.push("work");
        if (!isStored) setImmediate(work);
      };
      let isStored = false;
      flood();
      setImmediate(work);
      isStored = await logs.flush(name);
      expect(Math.max(...batches.map(({ r = 0 }) => r))).to.be.below(1100);
      expect(batches).to.have.length.above(4);
      // One more may be due at its time.
      expect(order.join(" ")).not.to.contain("batch batch batch");
    });

    it("give a log its turn though another always has more than a batch", async () => {
      const other = addRevision(database, "e", "s");
      flood();
      info("one", other);
      await until("both logs", () => batches.some(({ s = 0 }) => s > 0));
      expect(batches.findIndex(({ s = 0 }) => s > 0)).to.be.below(2);
      flood(10_000, other);
      await until("both ends", () => batches.reduce((sum, { s = 0 }) => sum + s, 0) > 10_000);
      expect(Math.max(...batches.map(({ r = 0, s = 0 }) => r + s))).to.be.below(1100);
    });

    it("leave out lines of a revision that is gone, and store the others", async () => {
      const gone: LogName = { revisionId: "gone", type: "deploy" };
      for (const log of [gone, name]) info("one", log);
      await until("the batch", () => batches.length > 0);
      expect([await walk(), await walk({}, gone)]).to.deep.equal([["one"], []]);
    });

    it("are bounded in memory: the oldest lines are dropped, and the log says how many", async () => {
      for (const _ of ["first", "again"]) {
        flood(100_000);
        await logs.flush(name);
      }
      const messages = await walk();
      const notices = messages.filter((message) => message.includes("lines dropped"));
      const dropped = Number.parseInt(notices[0] ?? "");
      expect(100_000 - dropped).to.be.within(5000, 20_000);
      const round = [notices[0], ...numbers(dropped + 1, 100_000)];
      expect(messages).to.deep.equal([...round, ...round]);
    });
  });

  describe("that can't be stored", () => {
    it("are stored when there is room, in their order; until then a reader gets the reason why they are missing", async () => {
      fillDisk();
      overflow(1);
      expect(await logs.flush(name)).to.equal(false);
      expect(await reasonOf(page())).to.contain("database or disk is full");
      info("101");
      freeDisk();
      const messages = await walk();
      expect(messages.map((message) => /^\d+/.exec(message)?.[0])).to.deep.equal(numbers(1, 101));
    });

    it("are readable as far as they are stored, and retried though nobody reads or writes", async () => {
      info("one");
      await logs.flush(name);
      fillDisk();
      overflow(2);
      expect(await walk()).to.deep.equal(["one"]);
      batches.length = 0;
      freeDisk();
      await until("the batch", () => batches.length > 0);
      expect(lines.list(name, "asc", 1000)).to.have.lengthOf(100);
    });
  });

  it("are there after a restart, also those written just before the end", async () => {
    info("one");
    await logs.flush(name);
    flood();
    await close();
    open();
    expect(await walk()).to.deep.equal(["one", ...numbers(1, 10_000)]);
    info("again");
    expect((await walk()).at(-1)).to.equal("again");
  });

  it("are empty when nothing was written, and after their deployment or its row was removed, but not those of another", async () => {
    expect(await walk()).to.deep.equal([]);
    const other = addRevision(database, "e", "s");
    for (const log of [name, other]) info("one", log);
    await Promise.all([logs.flush(name), logs.flush(other)]);
    await logs.remove("d");
    expect([await walk(), await walk({}, other)]).to.deep.equal([[], ["one"]]);
    lines.append([{ name, lines: [{ timestamp: "", level: "INFO", message: "one" }] }]);
    database.execute("DELETE FROM deployments WHERE id = 'd'");
    expect(lines.list(name, "asc", 10)).to.deep.equal([]);
  });

  it("are removed in parts, and other work has its turn between any two", async () => {
    flood();
    await logs.flush(name);
    const left: number[] = [];
    const count = () => {
      left.push(lines.list(name, "asc", 100_000).length);
      if (left.at(-1) !== 0) setImmediate(count);
    };
    setImmediate(count);
    await logs.remove("d");
    await until("the end", () => left.at(-1) === 0);
    expect(new Set(left).size).to.be.above(4);
  });
});
