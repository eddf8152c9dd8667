import type { Machine } from "../../provider/adapters/native/service";
import { parseStackState } from "../../provider/resource/stack-state";
import type { Surroundings } from "./trial";
import type { Victim } from "./weather";

/** The machine of one process: its operations end for good where it is killed, since nothing answers from then on. */
export interface MortalMachine extends Machine {
  readonly lost: { engine: boolean; provider: boolean };
  readonly lose: (victim: Victim) => void;
}

export function mortalMachine(surroundings: Surroundings): MortalMachine {
  const { world, random, skewMs, exportState } = surroundings;
  const lost = { engine: false, provider: false };
  const lostOr = <Value>(value: Value): Value => {
    if (lost.provider) throw new Error("the process was killed");
    return value;
  };
  return {
    lost,
    lose(victim) {
      lost.engine ||= victim !== "provider";
      lost.provider ||= victim !== "engine";
    },
    clock: {
      now: () => lostOr(world.now() + skewMs),
      random: () => lostOr(random.next()),
      async sleep(milliseconds, signal) {
        signal?.throwIfAborted();
        await lostOr(world).advance(milliseconds);
      },
    },
    readState: async () => {
      const state = lostOr(exportState());
      if (state === undefined) throw new Error("the backend does not respond");
      return parseStackState(state);
    },
  };
}
