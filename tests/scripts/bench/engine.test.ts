import { expect } from "chai";
import { runBench, type Bench } from "../../../scripts/bench/bench";
import { measureEngine, type EnginePlan } from "../../../scripts/bench/engine";
import { summarise, type Summary, type Table } from "../../../scripts/bench/figure";
import { describeLong } from "../../support/tiers";

const PLAN: EnginePlan = {
  loads: 1,
  rollouts: { lengths: [{ seconds: 60, delaySeconds: 3 }], repetitions: 2, rollouts: 3 },
  creates: { sizes: [2], repetitions: 1 },
};

const bench: Bench = {
  about: "the same, with less of everything",
  limitSeconds: 3600,
  run: (stage) => measureEngine(stage, PLAN),
};

describeLong("the bench of the engine", () => {
  let tables: readonly Table[];
  before(async () => {
    const stage = { signal: new AbortController().signal, say: () => undefined };
    ({ tables } = await runBench("engine", bench, stage));
  });

  const rowsOf = (title: string) => {
    const rows = tables.find((table) => table.title.startsWith(title))?.rows ?? [];
    return rows.map(({ name, figures }) => ({ name, figures: figures.map(summarise) }));
  };
  const summaryOf = (title: string, row: string, figure: string): Summary | undefined =>
    rowsOf(title)
      .find(({ name }) => name === row)
      ?.figures.find(({ name }) => name === figure);
  const goalsOf = (title: string) =>
    rowsOf(title).flatMap(({ name, figures }) =>
      figures.flatMap((figure) =>
        figure.atMost === undefined ? [] : [`${name}, ${figure.name}: ${figure.atMost}`],
      ),
    );
  const NATIVE = "pulumi-agentserver/native";
  const KINDS = ["pulumi-agentserver", NATIVE, "dynamic.Resource", "constant text"];

  it("creates the same stack in four ways, with the same requests", () => {
    for (const kind of KINDS) {
      expect(summaryOf("create of 2", kind, "create")?.median).to.be.above(0);
      expect(summaryOf("create of 2", kind, "requests")?.median).to.equal(6);
    }
    expect(goalsOf("create of 2")).to.deep.equal([
      "pulumi-agentserver : dynamic.Resource, create: 0.8",
      "pulumi-agentserver : constant text, create: 1.3",
      `${NATIVE} : pulumi-agentserver, state: 0.8`,
    ]);
  });

  it("shows what the state holds of each way", () => {
    const [ours = 0, native = 0, serialised = 0, text = 0] = KINDS.map(
      (kind) => summaryOf("create of 2", kind, "state")?.median,
    );
    expect(text).to.be.above(500).and.below(serialised);
    expect(ours).to.be.below(serialised / 2);
    expect(native).to.be.below(ours);
  });

  it("previews and updates the same stack without a request", () => {
    for (const kind of KINDS)
      for (const title of ["no-op preview", "no-op up"])
        expect(summaryOf(title, kind, "requests")?.median).to.equal(0);
    expect(goalsOf("no-op preview")).to.deep.equal([
      "pulumi-agentserver, requests: 0",
      `${NATIVE}, requests: 0`,
      "pulumi-agentserver : constant text, preview: 1.1",
      `${NATIVE} : pulumi-agentserver, preview: 0.85`,
    ]);
  });

  it("starts both provider processes", () => {
    for (const kind of ["pulumi-agentserver", NATIVE])
      expect(summaryOf("start of the provider process", kind, "memory")?.median).to.be.above(10);
    expect(goalsOf("start of the provider process")).to.deep.equal([
      `${NATIVE} : pulumi-agentserver, CPU: 0.35`,
    ]);
  });

  it("loads the package and the libraries that it brings", () => {
    for (const { figures } of rowsOf("what loading adds"))
      for (const { name, median } of figures)
        // What is taken off the time is measured by itself, and may have waited longer for a CPU.
        if (name === "memory") expect(median).to.be.above(0);
        else expect(median).to.be.finite;
    expect(goalsOf("what loading adds")).to.deep.equal([
      "until the first request, time: 150",
      "until the first request, memory: 15",
      "in all, time: 300",
      "in all, memory: 35",
    ]);
  });

  it("waits for roll-outs within the goals for delay and requests, on a simulated clock", () => {
    const delay = "delay after DEPLOYED, median";
    expect(summaryOf("roll-outs of about 60 s", KINDS[0] ?? "", delay)).to.include({
      atMost: 3,
      verdict: "holds",
    });
    expect(summaryOf("roll-outs of about 60 s", KINDS[0] ?? "", "most")).to.include({
      atMost: 100,
      verdict: "holds",
    });
    const reference = summaryOf("roll-outs", "reference client, every 60 s", "requests, median");
    expect(reference?.median).to.be.within(3, 4);
  });
});
