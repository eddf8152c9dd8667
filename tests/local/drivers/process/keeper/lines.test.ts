import { expect } from "chai";
import { once } from "node:events";
import { Readable } from "node:stream";
import { eachLine } from "../../../../../local/drivers/process/keeper/lines";

describe("local/drivers/process/keeper/lines", () => {
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
