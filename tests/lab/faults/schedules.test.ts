import { expect } from "chai";
import type { Choice } from "../../../lab/faults/generate";
import { RESOURCE_TYPE_NAMES } from "../../../lab/faults/history";
import { search } from "../../../lab/faults/search";
import { startEnvironment, type Environment } from "../../../lab/faults/environment";
import { describeLong, describeNightly } from "../../support/tiers";

const LIMIT_MS = 1_800_000;

type Among = Pick<Choice, "frontEnd" | "states">;

let running: Environment | undefined;
const environment = (): Environment => {
  if (running === undefined) throw new Error("the environment is started before the tests");
  return running;
};

/** Schedules with consecutive seeds of each kind; the first that breaks something fails with the shrunk history. */
function holds(firstSeed: number, schedules: number, { frontEnd, states }: Among): void {
  for (const kind of RESOURCE_TYPE_NAMES)
    it(`of a ${kind}, ${frontEnd}, ${states} states: seeds ${firstSeed} to ${firstSeed + schedules - 1}`, async function () {
      this.timeout(LIMIT_MS);
      const choice = { kind, frontEnd, states };
      for (let seed = firstSeed; seed < firstSeed + schedules; seed += 1) {
        const { violations, history, lines } = await search(environment(), choice, { seed });
        const command = `npm run faults -- --kind ${kind} --front-end ${frontEnd} --states ${states} --seed ${seed} --schedules 1`;
        expect(violations, [command, history, ...lines].join("\n")).to.deep.equal([]);
      }
    });
}

const TITLE =
  "nothing is lost, made twice or taken from another, whatever fails and whenever a process is killed";

function schedulesOf(firstSeed: number, amounts: readonly [number, Among][]): () => void {
  return () => {
    before(async () => (running = await startEnvironment()));
    after(() => running?.close());
    for (const [schedules, among] of amounts) holds(firstSeed, schedules, among);
  };
}

const ONE = { frontEnd: "dynamic", states: "one" } as const;
const TWO = { frontEnd: "dynamic", states: "two" } as const;
const BOTH = { frontEnd: "both", states: "one" } as const;
const ALL = { frontEnd: "both", states: "two" } as const;

describe(
  TITLE,
  schedulesOf(1, [
    [6, ONE],
    [3, TWO],
  ]),
);
describeLong(
  TITLE,
  schedulesOf(1000, [
    [10, ONE],
    [6, TWO],
    [3, BOTH],
    [2, ALL],
  ]),
);
describeNightly(
  TITLE,
  schedulesOf(2000, [
    [500, ONE],
    [100, TWO],
    [100, BOTH],
    [50, ALL],
  ]),
);
