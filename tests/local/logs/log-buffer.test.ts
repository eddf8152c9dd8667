import { expect } from "chai";
import { bytesOf, LogBuffer } from "../../../local/logs/log-buffer";

const MEBIBYTE = 1024 * 1024;

describe("local/logs/log-buffer", () => {
  it("holds 8 MiB at most, and says how many lines are missing, until that is stored", () => {
    const buffer = new LogBuffer({ revisionId: "r", type: "build" });
    const held = () => buffer.first(Infinity);
    const fill = (lines: number) => {
      for (let line = 0; line < lines; line += 1) {
        buffer.add({ timestamp: "", level: "INFO", message: "x".repeat(10_000) });
        if (line % 100 === 0) expect(bytesOf(held())).to.be.at.most(8 * MEBIBYTE);
      }
    };
    const dropped = () => held().map(({ message }) => Number.parseInt(message));
    fill(3000);
    const [first = 0, ...rest] = dropped();
    expect(first + rest.length).to.equal(3000);
    buffer.remove(10);
    fill(3000);
    const [second = 0, ...newest] = dropped();
    expect(first + 9 + second + newest.length).to.equal(6000);
  });
});
