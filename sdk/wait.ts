import { type Clock, timeoutSignal } from "../shared/clock";
import { messageOf } from "../shared/errors";
import { RequestError } from "./errors";
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
  /** Polls once. The signal is aborted when the time for this poll is over. A transient error does not end the wait. */
  readonly poll: (signal: AbortSignal) => Promise<PollResult<Ended>>;
  /** Whether it has just been requested, so that the first poll comes after a pause. @default false */
  readonly isJustRequested?: boolean;
  /** Called after every poll that did not end the wait, with the stage or for how long there is no answer. */
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
  /** What was seen last and what has happened since, where the last polls had no answer. */
  readonly silence: string | undefined;

  constructor(message: string, isCancelled: boolean, silence: string | undefined) {
    super(message);
    this.isCancelled = isCancelled;
    this.silence = silence;
  }
}

/** A shorter silence is not shown: the next poll may be answered. */
const SHORTEST_SILENCE_MS = 5_000;
/** A poll gets at least this long, however little time is left. */
const SHORTEST_POLL_MS = 2_000;
const SHORTEST_PAUSE_MS = 300;
/** The first pause of a stage, as a share of the time waited so far. */
const FIRST_PAUSE_SHARE = 0.02;
const PAUSE_GROWTH = 1.5;
const LONGEST_PAUSE_MS = 8_500;
const LONGEST_DISTANT_PAUSE_MS = 30_000;

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
  let last: Pending = { state: "pending", stage: "" };
  let seenMs = start;
  let silent: { readonly reason: string; readonly sinceMs: number } | undefined;
  let pause = SHORTEST_PAUSE_MS;
  const since = (ms: number): string => `${Math.round((clock.now() - ms) / 1000)} s`;
  const trouble = (): string | undefined =>
    silent && `${silent.reason} for ${since(silent.sinceMs)}`;
  const ended = (isCancelled: boolean): WaitEnded => {
    const { stage } = last;
    const seen = stage && `last seen ${stage} ${since(seenMs)} ago, since then `;
    const silence = silent && `${seen}${trouble()}`;
    const ending = `${isCancelled ? "cancelled" : "timed out"} after ${since(start)}`;
    const answered = ending + (stage && `, still ${stage}`);
    return new WaitEnded(silence ? `${ending}: ${silence}` : answered, isCancelled, silence);
  };
  if (options.isJustRequested)
    await clock.sleep(Math.min(SHORTEST_PAUSE_MS, timeoutMs), signal).catch(() => undefined);
  for (;;) {
    const polledMs = clock.now();
    const { result, reason } = await pollOnce(options, timeoutMs - (polledMs - start));
    const elapsedMs = clock.now() - start;
    const { stage } = last;
    if (result !== undefined && result.state !== "pending") return result;
    if (result !== undefined) [last, seenMs, silent] = [result, clock.now(), undefined];
    if (reason !== undefined) silent = { sinceMs: polledMs, ...silent, reason };
    if (signal?.aborted) throw ended(true);
    const isLong = silent !== undefined && clock.now() - silent.sinceMs >= SHORTEST_SILENCE_MS;
    const shown = isLong ? `${trouble()}${STILL_TRYING}` : last.stage;
    if (shown !== "") options.onPending?.(shown, elapsedMs);
    if (elapsedMs >= timeoutMs) throw ended(false);
    const first = Math.max(SHORTEST_PAUSE_MS, elapsedMs * FIRST_PAUSE_SHARE);
    const longest = last.isDistant ? LONGEST_DISTANT_PAUSE_MS : LONGEST_PAUSE_MS;
    pause = Math.min(last.stage === stage ? pause * PAUSE_GROWTH : first, longest);
    const jittered = pause * (0.9 + 0.2 * clock.random());
    await clock.sleep(Math.min(jittered, timeoutMs - elapsedMs), signal).catch((error: unknown) => {
      throw signal?.aborted ? ended(true) : error;
    });
  }
}

const STILL_TRYING = "; still trying";

/** Whether two stages of a wait differ in nothing but for how long there is no answer. */
export function isSameStage(one: string, other: string): boolean {
  const timeless = (stage: string): string =>
    stage.endsWith(STILL_TRYING) ? stage.slice(0, stage.lastIndexOf(" for ")) : stage;
  return timeless(one) === timeless(other);
}

/** Aborts a poll when the wait times out, but not before two seconds. */
export function pollSignal(timeLeftMs: number): AbortSignal {
  return timeoutSignal(Math.max(timeLeftMs, SHORTEST_POLL_MS));
}

/** The result of a poll, or why there is none; neither where it was cancelled. */
async function pollOnce<Ended extends EndResult>(
  { poll, signal: cancel }: WaitOptions<Ended>,
  timeMs: number,
): Promise<{ readonly result?: PollResult<Ended>; readonly reason?: string }> {
  const timeout = pollSignal(timeMs);
  const signal = cancel === undefined ? timeout : AbortSignal.any([timeout, cancel]);
  try {
    return { result: await poll(signal) };
  } catch (error) {
    if (cancel?.aborted) return {};
    if (timeout.aborted) return { reason: "no response" };
    if (!isTransient(error)) throw error;
    return { reason: error instanceof RequestError ? error.reason : messageOf(error) };
  }
}
