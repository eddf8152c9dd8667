import { expect } from "chai";
import { type KindName, runSchedule } from "../../scripts/faults/schedule";
import type { DoorName } from "../../scripts/faults/trial";
import { runTwoStates } from "../../scripts/faults/two-states";
import { startWorld, type World } from "../../scripts/faults/world";
import { describeLong } from "../support/tiers";

const FIRST_SEED = 1;
const LIMIT_MS = 1_800_000;

const RUNS = { one: runSchedule, two: runTwoStates };

interface Choice {
  readonly door?: DoorName;
  readonly states?: keyof typeof RUNS;
}

/** Schedules of one kind with consecutive seeds; the first that breaks something fails with its seed and its history. */
function holds(
  kind: KindName,
  firstSeed: number,
  schedules: number,
  { door = "dynamic", states = "one" }: Choice = {},
): void {
  const through = door === "native" ? " through the native provider" : "";
  const among = states === "two" ? ", of two programs" : "";
  it(`of a ${kind}${through}${among}: seeds ${firstSeed} to ${firstSeed + schedules - 1}`, async function () {
    this.timeout(LIMIT_MS);
    for (let seed = firstSeed; seed < firstSeed + schedules; seed += 1) {
      const { violations, history } = await RUNS[states](world(), kind, seed, door);
      const command = `npm run faults -- --kind ${kind} --door ${door} --states ${states} --seed ${seed} --schedules 1`;
      expect(violations, `${command}\n${history.join("\n")}`).to.deep.equal([]);
    }
  });
}

let running: World | undefined;
const world = (): World => {
  if (running === undefined) throw new Error("the world is started before the tests");
  return running;
};

function inAWorld(tests: () => void): () => void {
  return () => {
    before(async () => (running = await startWorld()));
    after(() => running?.close());
    tests();
  };
}

const TITLE =
  "nothing is lost, made twice or taken from another, whatever fails and whenever a process is killed";

describe(
  TITLE,
  inAWorld(() => {
    holds("deployment", FIRST_SEED, 80);
    holds("listener", FIRST_SEED, 60);
    holds("thread", FIRST_SEED, 100);
    holds("deployment", FIRST_SEED, 5, { door: "native" });
    holds("deployment", FIRST_SEED, 15, { states: "two" });
    holds("listener", FIRST_SEED, 15, { states: "two" });
    holds("thread", FIRST_SEED, 15, { states: "two" });
  }),
);

describeLong(
  TITLE,
  inAWorld(() => {
    holds("deployment", 1000, 600);
    holds("listener", 1000, 300);
    holds("thread", 1000, 600);
    holds("deployment", 1000, 60, { door: "native" });
    for (const kind of ["deployment", "listener", "thread"] as const) {
      holds(kind, 1000, 60, { states: "two" });
      holds(kind, 1000, 20, { states: "two", door: "native" });
    }
  }),
);
