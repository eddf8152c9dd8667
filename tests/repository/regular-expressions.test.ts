import { expect } from "chai";
import { readFileSync } from "node:fs";
import { analyse } from "scslre";
import ts from "typescript";
import { packageSources } from "./documents";

/** The time that a repeated character can keep an expression busy: the kinds of backtracking, and a search from every place. */
const REPORT_TYPES = { Move: true, Self: true, Trade: true };

function expressionsOf(path: string): { place: string; source: string; flags: string }[] {
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  const found: ReturnType<typeof expressionsOf> = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      const end = node.text.lastIndexOf("/");
      const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
      found.push({ place: `${path}:${line + 1}`, source, flags });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const isSlow = ({ source, flags }: { source: string; flags: string }): boolean =>
  analyse({ source, flags }, { reportTypes: REPORT_TYPES, maxReports: 1 }).reports.length > 0;

describe("the regular expressions of the package", () => {
  it("take time that grows no faster than the text", () => {
    const expressions = packageSources().flatMap(expressionsOf);
    expect(expressions).to.have.length.above(50);
    const slow = expressions.filter(isSlow);
    expect(slow.map(({ place, source }) => `${place} ${source}`)).to.deep.equal([]);
  });
});
