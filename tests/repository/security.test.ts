import { expect } from "chai";
import { readFileSync } from "node:fs";
import { problemsOf, rowsOf } from "./rows";

describe("docs/security.md", () => {
  const rows = rowsOf(readFileSync("docs/security.md", "utf8"));

  it("names of every promise the test that holds it, and only tests that exist", () => {
    expect(rows).not.to.be.empty;
    expect(problemsOf(rows)).to.deep.equal([]);
    const references = rows.flatMap((row) => row.references);
    expect(references.filter((reference) => !reference.startsWith("tests/"))).to.deep.equal([]);
  });
});
