import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import { serverPackages } from "../../local/drivers/process/python/server-packages";
import { DIFFERENCES } from "../contract/threads/differences";
import { KINDS } from "../contract/threads/subject";

const TEXT = readFileSync("docs/agent-servers.md", "utf8");

describe("docs/agent-servers.md", () => {
  it("has a row of each difference between the servers, in the words of its test", () => {
    const table = TEXT.slice(TEXT.indexOf("| what | built-in |"));
    const rows = table.trim().split("\n").slice(2);
    const expected = DIFFERENCES.map(({ what, on }) =>
      ["", what, ...KINDS.map((kind) => on[kind][0]), ""].join(" | ").trim(),
    );
    expect(rows).to.deep.equal(expected);
  });

  it("names the version of the real Python server that is installed", () => {
    for (const range of serverPackages(undefined)) {
      const [name = "", newest = ""] = range.split(/>=.*<=/);
      expect(TEXT).to.contain(`\`${name}\` ${newest}`);
    }
  });
});

describe("the differences between the servers", () => {
  it("are differences, in what is seen and in words", () => {
    for (const { what, on } of DIFFERENCES)
      for (const part of [0, 1] as const) {
        const [first, ...others] = KINDS.map((kind) => on[kind][part]);
        expect(
          others.every((other) => isDeepStrictEqual(other, first)),
          what,
        ).to.equal(false);
      }
  });
});
