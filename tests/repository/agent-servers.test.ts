import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import { DIFFERENCES } from "../contract/threads/differences";

const TEXT = readFileSync("docs/agent-servers.md", "utf8");

describe("docs/agent-servers.md", () => {
  it("has a row of each difference between the servers that is tested, each of which is one", () => {
    const rows = TEXT.slice(TEXT.indexOf("| what | built-in |")).trim().split("\n").slice(2);
    const cells = rows.map((row) => row.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));
    expect(cells.map(([what]) => what)).to.include.members(DIFFERENCES.map(({ what }) => what));
    const seen = DIFFERENCES.map(({ what, seen: on }) => [what, ...on]);
    for (const [what, first, ...others] of [...cells, ...seen]) {
      const isDifference = others.some((other) => !isDeepStrictEqual(other, first));
      expect([others.length, isDifference], String(what)).to.deep.equal([2, true]);
    }
  });
});
