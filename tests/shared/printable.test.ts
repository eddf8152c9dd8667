import { expect } from "chai";
import fc from "fast-check";
import { indented, oneLine, printable } from "../../shared/printable";

describe("shared/printable", () => {
  const samples: [string, string, string][] = [
    ["escape sequences", "\x1b[2J\x1b]0;title\x07", String.raw`\x1b[2J\x1b]0;title\x07`],
    ["C1 controls and DEL", "\u009b31m\u0085\x7f", String.raw`\u009b31m\u0085\x7f`],
    ["a carriage return that hides a line", "failed\rdone  ", String.raw`failed\x0ddone  `],
    ["Pulumi's markup", "<{%reset%}> <{%fg 1%}>", String.raw`<\{%reset%}> <\{%fg 1%}>`],
    ["what turns text around", "a\u202eb\u2066c\u200f", String.raw`a\u202eb\u2066c\u200f`],
    ["other line breaks", "a\u2028b\u2029", String.raw`a\u2028b\u2029`],
    ["half a character, which gRPC can't encode", "🎉\ud83d …", String.raw`🎉\ud83d …`],
    ["markup that is never closed", "<<{%", String.raw`<<\{%`],
  ];
  for (const [what, text, seen] of samples)
    it(`shows ${what}`, () => expect(printable(text)).to.equal(seen));

  it("leaves lines, tabs and all other characters as they are", () => {
    for (const text of ["one\n\ttwo", "größer 你好 🎉", "100%}> <{ % {%", String.raw`\x1b`])
      expect(printable(text)).to.equal(text);
    expect(printable("one\r\ntwo\r\n")).to.equal("one\ntwo\n");
  });

  it("indents the further lines of a text, so that none passes for a line of its own", () =>
    expect(indented("one\r\ntwo\nthree")).to.equal("one\n    two\n    three"));

  it("has a text of several lines, indented ones too, on one line", () =>
    expect(oneLine("one\r\n\n    two\tthree")).to.equal("one two three"));

  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom("<", "{", "%", "}", ">", "<{%", "%}>", "\\", "\r", "\n", "\r\n", "\t", "x"),
        fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)),
        fc.string({ unit: "grapheme" }),
      ),
    )
    .map((parts) => parts.join(""));

  it("leaves nothing in any text that a terminal or Pulumi's CLI obeys, and once is enough", () =>
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = printable(text);
        expect(shown).not.to.match(/[^\P{Cc}\n\t]/u);
        expect(shown).not.to.contain("<{%");
        expect(printable(shown)).to.equal(shown);
        expect(shown.split("\n")).to.have.length(text.split("\n").length);
      }),
      { numRuns: 1000 },
    ));
});
