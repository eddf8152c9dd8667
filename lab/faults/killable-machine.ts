import type { Machine } from "../../provider/adapters/native/service";
import { parseStackState } from "../../provider/resource/stack-state";
import type { KillableProcess, Surroundings } from "./trial";

/** The machine of one process: its operations end for good where it is killed, since nothing answers from then on. */
export interface KillableMachine extends Machine {
  readonly lost: { engine: boolean; provider: boolean };
  readonly lose: KillableProcess["lose"];
}

export function killableMachine(surroundings: Surroundings): KillableMachine {
  const { environment, random, skewMs, exportState } = surroundings;
  const lost = { engine: false, provider: false };
  const lostOr = <Value>(value: Value): Value => {
    if (lost.provider) throw new Error("the process was killed");
    return value;
  };
  return {
    lost,
    lose(what) {
      lost.engine ||= what !== "kill provider";
      lost.provider ||= what !== "kill engine";
    },
    clock: {
      now: () => lostOr(environment.now() + skewMs),
      random: () => lostOr(random.next()),
      async sleep(milliseconds, signal) {
        signal?.throwIfAborted();
        await lostOr(environment).advance(milliseconds);
      },
    },
    readState: async () => {
      const state = lostOr(exportState());
      if (state === undefined) throw new Error("the backend does not respond");
      return parseStackState(state);
    },
  };
}
