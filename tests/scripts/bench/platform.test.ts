import { expect } from "chai";
import { runBench, type Bench } from "../../../scripts/bench/bench";
import { summarise } from "../../../scripts/bench/figure";
import { measurePlatform } from "../../../scripts/bench/platform";

const PLAN = {
  small: 2,
  large: 12,
  starts: 1,
  rounds: { most: 5, fewest: 2, paces: [{ clients: 2, requests: 4 }] },
  seconds: 0,
};

const bench: Bench = {
  about: "the same, with less of everything",
  limitSeconds: 3600,
  run: (stage) => measurePlatform(stage, PLAN),
};

describe("the bench of the platform", () => {
  it("measures starts, requests and memory of real processes, with the goals beside them", async () => {
    const stage = { signal: new AbortController().signal, say: () => undefined };
    const { tables } = await runBench("platform", bench, stage);
    expect(tables.map(({ title }) => title)).to.deep.equal([
      "start (1 times)",
      "list, first page of 10, 2 at a time (2 rounds of 4)",
      "GET by id, 2 at a time (2 rounds of 4)",
      "create, 2 at a time (2 rounds of 2)",
      "memory after all requests",
    ]);
    const rows = tables.flatMap((table) => table.rows);
    for (const { median } of rows.flatMap((row) => row.figures.map(summarise)))
      expect(median).to.be.above(0);
    const goals = rows.flatMap((row) =>
      row.figures.flatMap(({ atMost }) => atMost ?? []).map((goal) => `${row.name} ≤ ${goal}`),
    );
    expect(goals).to.deep.equal([
      "new folder ≤ 0.5",
      "new folder ≤ 90",
      "12 deployments : 2 deployments ≤ 1.5",
      "12 deployments : 2 deployments ≤ 1.5",
    ]);
  });
});
