import { expect } from "chai";
import { type KindName, runSchedule } from "../../scripts/faults/schedule";
import type { DoorName } from "../../scripts/faults/trial";
import { runTwoStates } from "../../scripts/faults/two-states";
import { startWorld, type World } from "../../scripts/faults/world";
import { describeLong, describeNightly } from "../support/tiers";

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

/** Number of schedules of each kind, and of them through the native provider and of two programs. */
interface Amount {
  readonly one: number;
  readonly native: number;
  readonly two: number;
  readonly twoNative: number;
}

function schedulesOf(firstSeed: number, { one, native, two, twoNative }: Amount): () => void {
  return inAWorld(() => {
    holds("deployment", firstSeed, native, { door: "native" });
    for (const kind of ["deployment", "listener", "thread"] as const) {
      holds(kind, firstSeed, one);
      holds(kind, firstSeed, two, { states: "two" });
      if (twoNative > 0) holds(kind, firstSeed, twoNative, { states: "two", door: "native" });
    }
  });
}

describe(TITLE, schedulesOf(1, { one: 25, native: 2, two: 4, twoNative: 0 }));
describeLong(TITLE, schedulesOf(1000, { one: 20, native: 3, two: 6, twoNative: 2 }));
describeNightly(TITLE, schedulesOf(2000, { one: 600, native: 60, two: 60, twoNative: 20 }));
