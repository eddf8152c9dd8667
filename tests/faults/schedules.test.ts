import { expect } from "chai";
import { type KindName, runSchedule } from "../../scripts/faults/schedule";
import type { DoorName } from "../../scripts/faults/trial";
import { startWorld, type World } from "../../scripts/faults/world";
import { describeLong } from "../support/tiers";

const FIRST_SEED = 1;
const LIMIT_MS = 1_800_000;

/** Schedules of one kind with consecutive seeds; the first that breaks something fails with its seed and its history. */
function holds(
  kind: KindName,
  firstSeed: number,
  schedules: number,
  door: DoorName = "dynamic",
): void {
  const through = door === "native" ? " through the native provider" : "";
  it(`of a ${kind}${through}: seeds ${firstSeed} to ${firstSeed + schedules - 1}`, async function () {
    this.timeout(LIMIT_MS);
    for (let seed = firstSeed; seed < firstSeed + schedules; seed += 1) {
      const { violations, history } = await runSchedule(world(), kind, seed, door);
      const words = `npm run faults -- --kind ${kind} --door ${door} --seed ${seed} --schedules 1\n${history.join("\n")}`;
      expect(violations, words).to.deep.equal([]);
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
  "nothing is lost and nothing is made twice, whatever fails and whenever a process is killed";

describe(
  TITLE,
  inAWorld(() => {
    holds("deployment", FIRST_SEED, 80);
    holds("listener", FIRST_SEED, 60);
    holds("thread", FIRST_SEED, 100);
    holds("deployment", FIRST_SEED, 5, "native");
  }),
);

describeLong(
  TITLE,
  inAWorld(() => {
    holds("deployment", 1000, 600);
    holds("listener", 1000, 300);
    holds("thread", 1000, 600);
    holds("deployment", 1000, 60, "native");
  }),
);
