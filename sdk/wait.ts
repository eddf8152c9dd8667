import type { Clock } from "../shared/clock";

/** What a judge makes of one look at a thing: go on, or end with a value. */
export type PollResult<Value> =
  | {
      /** The stage it is in. */
      readonly pending: string;
      /** Other stages must follow before it can be done: nobody waits for the end of this one. @default false */
      readonly distant?: boolean;
    }
  | { readonly done: Value; readonly pending?: undefined };

export interface WaitOptions<Value> {
  /** Looks at the thing; an error ends the wait. The signal says that the time for this look is over. */
  readonly poll: (signal: AbortSignal) => Promise<PollResult<Value>>;
  /** Told of every look that did not end the wait. */
  readonly onPending?: (stage: string, elapsedMs: number) => void;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** The wait reached its deadline; `stage` is what was seen last. */
export class WaitTimeout extends Error {
  override readonly name = "WaitTimeout";
  readonly stage: string;
  readonly elapsedMs: number;

  constructor(stage: string, elapsedMs: number) {
    super(`still ${stage} after ${Math.round(elapsedMs / 1000)} s`);
    this.stage = stage;
    this.elapsedMs = elapsedMs;
  }
}

/** However little time is left, a look is given this long. */
const LAST_LOOK_MS = 2_000;
const SHORTEST_PAUSE_MS = 300;
/** The first pause of a stage, as a part of the time waited so far. */
const FIRST_PAUSE_SHARE = 0.02;
const PAUSE_GROWTH = 1.5;
const LONGEST_PAUSE_MS = 8_500;
const LONGEST_DISTANT_PAUSE_MS = 30_000;
/** Node's timers hold no more (2^31 - 1 ms). */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Looks at something until its judge ends the wait or the time is over; knows nothing of what it waits for. Pauses grow
 * and start again short at each change of stage; the last look comes at the deadline itself. How long they are is
 * measured by `npm run bench -- engine`: a wait of 15 minutes makes at most 100 looks and ends 5 s late.
 */
export async function waitFor<Value>(options: WaitOptions<Value>): Promise<Value> {
  const { clock, timeoutMs } = options;
  const start = clock.now();
  let stage = "";
  let pause = SHORTEST_PAUSE_MS;
  for (;;) {
    const timeLeftMs = timeoutMs - (clock.now() - start);
    const verdict = await pollInTime(options.poll, timeLeftMs, stage);
    if (verdict.pending === undefined) return verdict.done;
    const elapsedMs = clock.now() - start;
    options.onPending?.(verdict.pending, elapsedMs);
    if (elapsedMs >= timeoutMs) throw new WaitTimeout(verdict.pending, elapsedMs);
    const first = Math.max(SHORTEST_PAUSE_MS, elapsedMs * FIRST_PAUSE_SHARE);
    const longest = verdict.distant ? LONGEST_DISTANT_PAUSE_MS : LONGEST_PAUSE_MS;
    pause = Math.min(verdict.pending === stage ? pause * PAUSE_GROWTH : first, longest);
    stage = verdict.pending;
    const jittered = pause * (0.9 + 0.2 * clock.random());
    await clock.sleep(Math.min(jittered, timeoutMs - elapsedMs));
  }
}

/** Ends a look when the time that is left is over, but gives it two seconds. */
export function pollSignal(timeLeftMs: number): AbortSignal {
  const timeMs = Math.min(Math.max(timeLeftMs, LAST_LOOK_MS), LONGEST_TIMER_MS);
  return AbortSignal.timeout(Math.ceil(timeMs));
}

/** A look that is not answered while there is time shows nothing new. */
async function pollInTime<Value>(
  look: WaitOptions<Value>["poll"],
  timeMs: number,
  stage: string,
): Promise<PollResult<Value>> {
  const signal = pollSignal(timeMs);
  try {
    return await look(signal);
  } catch (error) {
    if (signal.aborted) return { pending: stage || "without an answer" };
    throw error;
  }
}
