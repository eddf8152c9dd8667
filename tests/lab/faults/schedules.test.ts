import { expect } from "chai";
import type { Choice } from "../../../lab/faults/generate";
import { RESOURCE_TYPE_NAMES } from "../../../lab/faults/history";
import { search } from "../../../lab/faults/search";
import { startEnvironment, type Environment } from "../../../lab/faults/environment";
import { describeIn } from "../../support/tiers";

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

/** The first seed of a tier, and how many schedules it has among each. */
const AMOUNTS = {
  short: [1, 6, 3, 0, 0],
  long: [1000, 10, 6, 3, 2],
  nightly: [2000, 500, 100, 100, 50],
} as const;
const AMONG = [
  { frontEnd: "dynamic", states: "one" },
  { frontEnd: "dynamic", states: "two" },
  { frontEnd: "both", states: "one" },
  { frontEnd: "both", states: "two" },
] as const;

for (const tier of ["short", "long", "nightly"] as const)
  describeIn(tier, TITLE, () => {
    before(async () => (running = await startEnvironment()));
    after(() => running?.close());
    const [firstSeed, ...amounts] = AMOUNTS[tier];
    for (const [at, among] of AMONG.entries())
      if (amounts[at]) holds(firstSeed, amounts[at], among);
  });
