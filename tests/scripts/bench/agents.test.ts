import { expect } from "chai";
import { measureAgents } from "../../../scripts/bench/agents";
import { SUBJECTS } from "../../../scripts/bench/agents/subjects";
import { runBench, type Bench } from "../../../scripts/bench/bench";
import { summarise, type Table } from "../../../scripts/bench/figure";

const bench: Bench = {
  about: "the same, with the built-in server only and less of everything",
  limitSeconds: 3600,
  run: (stage) =>
    measureAgents(stage, {
      subjects: SUBJECTS.filter(({ language }) => language === undefined),
      starts: 2,
      rollOvers: 1,
    }),
};

describe("the bench of agents", () => {
  let tables: readonly Table[];
  before(async () => {
    const stage = { signal: new AbortController().signal, say: () => undefined };
    ({ tables } = await runBench("agents", bench, stage));
  });

  const rowsOf = (title: string) => {
    const rows = tables.find((table) => table.title.startsWith(title))?.rows ?? [];
    return rows.map(({ name, figures }) => ({ name, figures: figures.map(summarise) }));
  };

  it("measures from the create to the first answer, and what the server holds then", () => {
    const [row, ...others] = rowsOf("create to answer");
    expect(others).to.deep.equal([]);
    expect(row?.name).to.equal("built-in");
    const [answer, part, rss, pss] = row?.figures ?? [];
    expect(answer).to.include({ name: "first answer", unit: "s", repetitions: 2, atMost: 1 });
    expect(part?.median)
      .to.be.above(0)
      .and.below(answer?.median ?? 0);
    expect(rss?.min).to.be.above(20);
    expect(pss?.min)
      .to.be.above(10)
      .and.below(rss?.max ?? 0);
  });

  it("counts what fails while it rolls over, of requests that come at a constant rate", () => {
    const [row] = rowsOf("1 roll-overs under load");
    expect(row?.name).to.equal("built-in, 200 /s");
    const seen = Object.fromEntries(row?.figures.map((figure) => [figure.name, figure]) ?? []);
    expect(seen["failed"]).to.include({ median: 0, atMost: 0, verdict: "holds" });
    expect(seen["threads lost"]).to.include({ median: 0, atMost: 0, verdict: "holds" });
    for (const name of ["longest wait", "sent", "requests", "threads"])
      expect(seen[name]?.median, name).to.be.above(0);
  });

  it("has the goals of each server", () => {
    const goals = SUBJECTS.map(({ name, startSeconds, rate }) => [
      name,
      startSeconds,
      rate.perSecond,
    ]);
    expect(goals).to.deep.equal([
      ["built-in", 1, 200],
      ["JavaScript", 1.5, 20],
      ["Python", 7, 20],
    ]);
  });
});
