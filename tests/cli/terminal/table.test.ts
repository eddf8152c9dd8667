import { expect } from "chai";
import { tableLines } from "../../../cli/terminal/table";
import { testTerminal } from "../terminal";

const COLUMNS = [
  { title: "NAME", shortest: 6 },
  { title: "STATUS" },
  { title: "SERVES", shortest: 5 },
];
const rows = (...names: string[]) =>
  names.map((text) => [{ text }, { text: "READY" }, { text: "main@1a2b3c4" }]);

describe("cli/terminal/table", () => {
  it("aligns columns, each as wide as its widest cell", () => {
    expect(tableLines(testTerminal(), COLUMNS, rows("a", "support"))).to.deep.equal([
      "NAME     STATUS  SERVES",
      "a        READY   main@1a2b3c4",
      "support  READY   main@1a2b3c4",
    ]);
  });

  it("cuts the widest column first where it is too wide, each down to its shortest", () => {
    const table = (columns: number) =>
      tableLines(testTerminal({ columns }), COLUMNS, rows("support-of-the-north"));
    expect(table(35)[1]).to.equal("support-of-t…  READY   main@1a2b3c4");
    expect(table(25)[1]).to.equal("support…  READY   main@1…");
    expect(table(10)[1]).to.equal("suppo…  READY   main…");
    expect(table(Infinity)[1]).to.equal("support-of-the-north  READY   main@1a2b3c4");
  });

  it("shows others' control characters, and keeps each row on one line", () => {
    const [, line] = tableLines(testTerminal(), COLUMNS, rows("a\x1b[2Jb\nc\u009b1m"));
    expect(line).to.contain(String.raw`a\x1b[2Jb c\u009b1m`);
  });

  it("has colours where the terminal has them, which take no room", () => {
    const cells = [[{ text: "x", colour: "red" as const }, { text: "READY" }, { text: "y" }]];
    const [, coloured] = tableLines(testTerminal({ hasColours: true }), COLUMNS, cells);
    const [, plain] = tableLines(testTerminal(), COLUMNS, cells);
    expect(coloured).to.equal(plain?.replace("x", "\x1b[31mx\x1b[39m"));
  });
});
