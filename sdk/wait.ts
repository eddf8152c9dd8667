import type { Clock } from "../shared/clock";
import { isTransient } from "./retry";

/** The progress of the thing that is waited for. */
export type WaitState = "pending" | "done" | "failed";

/** The result of one poll. */
export type PollResult<Ended extends EndResult> = Pending | Ended;

interface Pending {
  readonly state: "pending";
  /** The text shown to the user: a status, or what is missing. */
  readonly stage: string;
  /** Whether other stages must follow before the wait can end, so that it polls less often. @default false */
  readonly isDistant?: boolean;
}

/** Ends the wait, which returns it as it is. */
interface EndResult {
  readonly state: Exclude<WaitState, "pending">;
}

export interface WaitOptions<Ended extends EndResult> {
  /** Polls once. The signal is aborted when the time for this poll is over. */
  readonly poll: (signal: AbortSignal) => Promise<PollResult<Ended>>;
  /** Keeps the wait going over transient errors, and returns the stage to show meanwhile. @default every error ends the wait */
  readonly tolerate?: (error: unknown) => string;
  /** Called after every poll that did not end the wait. */
  readonly onPending?: (stage: string, elapsedMs: number) => void;
  readonly timeoutMs: number;
  /** Ends the wait at once, which throws a `WaitEnded`. @default none */
  readonly signal?: AbortSignal | undefined;
  readonly clock: Clock;
}

/** The wait ended before what it waited for came: it timed out, or its signal was aborted. */
export class WaitEnded extends Error {
  override readonly name = "WaitEnded";
  readonly isCancelled: boolean;

  /** `stage` is the last one observed. */
  constructor(stage: string, elapsedMs: number, isCancelled: boolean) {
    const after = `after ${Math.round(elapsedMs / 1000)} s`;
    const reached = stage === "" ? "" : `, still ${stage}`;
    super(isCancelled ? `cancelled ${after}${reached}` : `still ${stage} ${after}`);
    this.isCancelled = isCancelled;
  }
}

/** A poll gets at least this long, however little time is left. */
const SHORTEST_POLL_MS = 2_000;
const SHORTEST_PAUSE_MS = 300;
/** The first pause of a stage, as a share of the time waited so far. */
const FIRST_PAUSE_SHARE = 0.02;
const PAUSE_GROWTH = 1.5;
const LONGEST_PAUSE_MS = 8_500;
const LONGEST_DISTANT_PAUSE_MS = 30_000;
/** The maximum of Node's timers (2^31 - 1 ms). */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Polls until `poll` returns a result that is not pending, or the timeout expires, which throws a `WaitEnded`. Knows
 * nothing about the resource. Pauses grow, and start short again at each change of stage; the last poll comes at the
 * deadline itself. `npm run bench -- engine` measures them: a wait of 15 minutes polls at most 100 times and ends 5 s late.
 */
export async function waitFor<Ended extends EndResult>(
  options: WaitOptions<Ended>,
): Promise<Ended> {
  const { clock, timeoutMs, signal } = options;
  const start = clock.now();
  let stage = "";
  let pause = SHORTEST_PAUSE_MS;
  for (;;) {
    const timeLeftMs = timeoutMs - (clock.now() - start);
    const result = await pollOnce(options, timeLeftMs, stage);
    if (result.state !== "pending") return result;
    const elapsedMs = clock.now() - start;
    if (signal?.aborted) throw new WaitEnded(result.stage, elapsedMs, true);
    options.onPending?.(result.stage, elapsedMs);
    if (elapsedMs >= timeoutMs) throw new WaitEnded(result.stage, elapsedMs, false);
    const first = Math.max(SHORTEST_PAUSE_MS, elapsedMs * FIRST_PAUSE_SHARE);
    const longest = result.isDistant ? LONGEST_DISTANT_PAUSE_MS : LONGEST_PAUSE_MS;
    pause = Math.min(result.stage === stage ? pause * PAUSE_GROWTH : first, longest);
    stage = result.stage;
    const jittered = pause * (0.9 + 0.2 * clock.random());
    await clock.sleep(Math.min(jittered, timeoutMs - elapsedMs), signal).catch((error: unknown) => {
      throw signal?.aborted ? new WaitEnded(stage, clock.now() - start, true) : error;
    });
  }
}

/** Aborts a poll when the wait times out, but not before two seconds. */
export function pollSignal(timeLeftMs: number): AbortSignal {
  const timeMs = Math.min(Math.max(timeLeftMs, SHORTEST_POLL_MS), LONGEST_TIMER_MS);
  return AbortSignal.timeout(Math.ceil(timeMs));
}

/** A poll without a response in time reports nothing new. */
async function pollOnce<Ended extends EndResult>(
  { poll, tolerate, signal: cancel }: WaitOptions<Ended>,
  timeMs: number,
  stage: string,
): Promise<PollResult<Ended>> {
  const timeout = pollSignal(timeMs);
  const signal = cancel === undefined ? timeout : AbortSignal.any([timeout, cancel]);
  try {
    return await poll(signal);
  } catch (error) {
    if (cancel?.aborted) return { state: "pending", stage };
    if (tolerate && isTransient(error)) return { state: "pending", stage: tolerate(error) };
    if (signal.aborted) return { state: "pending", stage: stage || "without a response" };
    throw error;
  }
}
