import { expect } from "chai";
import { judge, over, quantile, summarise } from "../../../scripts/bench/figure";
import { format } from "../../../scripts/bench/format";

describe("a figure of a bench", () => {
  it("is summarised by its median and its spread", () => {
    const figure = { name: "median", unit: "ms", values: [9, 1, 4, 3] };
    expect(summarise(figure)).to.deep.equal({
      name: "median",
      unit: "ms",
      median: 3.5,
      min: 1,
      max: 9,
      repetitions: 4,
    });
  });

  const verdict = (values: number[], atMost: number, waited: number[] = []) =>
    judge({ name: "first answer", unit: "s", values, waited }, atMost);

  it("holds its goal when three quarters of the repetitions do", () => {
    expect(verdict([1, 1, 1, 9], 1)).to.equal("noisy");
    expect(verdict([1, 1, 1, 1, 9], 1)).to.equal("holds");
    expect(verdict([1], 1)).to.equal("holds");
  });

  it("misses its goal when three quarters of the repetitions do", () => {
    expect(verdict([1, 9, 9, 9, 9], 8)).to.equal("missed");
  });

  it("is noisy when the repetitions do not agree", () => {
    expect(verdict([1, 1, 9, 9], 5)).to.equal("noisy");
  });

  it("is noisy when only waiting for a CPU made it miss its goal", () => {
    expect(verdict([9, 9, 9, 9], 5, [5, 5, 5, 5])).to.equal("noisy");
    expect(verdict([9, 9, 9, 9], 5, [1, 1, 1, 1])).to.equal("missed");
  });

  it("has no quantile without values", () => {
    expect(quantile([], 0.5)).to.be.NaN;
  });
});

describe("the ratio of two rows", () => {
  const row = (name: string, ...values: number[]) => ({
    name,
    figures: [{ name: "median", unit: "ms", values }],
  });

  it("is taken repetition by repetition", () => {
    expect(over(row("large", 2, 30), row("small", 1, 10), { median: 1.5 })).to.deep.equal({
      name: "large : small",
      figures: [{ name: "median", unit: "×", values: [2, 3], atMost: 1.5 }],
    });
  });

  it("has goals for the figures that are named only", () => {
    const [figure] = over(row("large", 2), row("small", 1), { p95: 1.5 }).figures;
    expect(figure).not.to.have.property("atMost");
  });
});

describe("a table of a bench", () => {
  it("shows each figure with its unit, its spread, its goal and whether that holds", () => {
    const rows = [
      {
        name: "new folder",
        figures: [
          { name: "first answer", unit: "s", values: [0.25, 0.21, 0.3], atMost: 0.5 },
          { name: "RSS", unit: "MB", values: [NaN] },
        ],
      },
      { name: "floor", figures: [{ name: "first answer", unit: "s", values: [1234.5] }] },
    ];
    expect(format({ title: "start", rows }).split("\n")).to.deep.equal([
      "start          first answer                        RSS",
      "  new folder   0.25 s (0.21..0.3) ≤ 0.5 s: holds   not known here",
      "  floor        1,230 s (1,230..1,230)",
      "",
    ]);
  });
});
