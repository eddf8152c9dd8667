import { expect } from "chai";
import { once } from "node:events";
import { Readable } from "node:stream";
import { memoryOfGroups } from "../../../../../local/drivers/process/keeper/memory";
import { eachLine } from "../../../../../local/drivers/process/keeper/lines";

describe("local/drivers/process/keeper/lines", () => {
  it("cuts no record of a log in JSON into pieces of 16 KiB, but other lines, and a record that never ends", async () => {
    const lines: string[] = [];
    const texts = [
      `{"event":"${"x".repeat(100_000)}"}`,
      "y".repeat(40_000),
      `{${"z".repeat(300_000)}`,
    ];
    const chunks = texts.flatMap((text) => [...(text.match(/.{1,9999}/g) ?? []), "\n"]);
    const stream = Readable.from(chunks, { objectMode: false });
    eachLine(stream, [], (line) => lines.push(line));
    await once(stream, "close");
    expect(lines[0]).to.equal(texts[0]);
    expect(lines.slice(1, 4).map(({ length }) => length)).to.deep.equal([16_384, 16_384, 7232]);
    expect(lines.length).to.be.above(5);
    expect(lines.join("")).to.equal(texts.join(""));
  });

  it("leaves other work its turn while a child writes without end, and loses nothing", async () => {
    const chunks = Array.from({ length: 20 }, (_, index) => `${index}\n${index}`);
    const stream = Readable.from(chunks, { objectMode: false, highWaterMark: 1 });
    const lines: string[] = [];
    const counts = [0];
    eachLine(stream, [], (line) => lines.push(line));
    const work = () => {
      counts.push(lines.length);
      if (!stream.closed) setImmediate(work);
    };
    setImmediate(work);
    await once(stream, "close");
    expect(lines.join("")).to.equal(chunks.join("").replaceAll("\n", ""));
    counts.push(lines.length);
    const steps = counts.slice(1).map((count, index) => count - (counts[index] ?? 0));
    expect(Math.max(...steps)).to.be.at.most(2);
  });
});

describe("local/drivers/process/keeper/memory", () => {
  it("is read once for simultaneous calls, and again for a later one", async () => {
    const readings = Array.from({ length: 600 }, () => memoryOfGroups());
    expect(new Set(readings)).to.have.property("size", 1);
    const [first] = await Promise.all(readings);
    expect(first).not.to.equal(await memoryOfGroups());
    expect(Math.max(...(first?.values() ?? []))).to.be.greaterThan(0);
  });
});
