import type { Context } from "./context";

/** Shows the stages of a wait, as a sign of life: what came of it is the engine's to show. */
export interface Progress {
  /** Whether `stage` shows this stage now. */
  readonly isDue: (stage: string) => boolean;
  /** Shows a stage, where it is due, and the newest line of its log. */
  readonly stage: (stage: string, line?: string) => void;
}

/** Pulumi itself shows an operation that is as short, and each message is a line in the log of a pipeline. */
const SHORTEST_PAUSE_MS = 5_000;
/** The interval at which a stage that stays is shown again. */
const HEARTBEAT_MS = 15_000;
/** The longest line of a log that is shown. Characters. */
const LONGEST_LINE = 100;

/** The progress of a wait that starts now. */
export function progressOf({ clock, log }: Pick<Context, "clock" | "log">): Progress {
  const start = clock.now();
  const shown = { stage: "", atMs: 0 };
  const isDue = (stage: string): boolean => {
    const sinceMs = clock.now() - start - shown.atMs;
    return sinceMs >= (stage === shown.stage ? HEARTBEAT_MS : SHORTEST_PAUSE_MS);
  };
  const show = (stage: string, line = ""): void => {
    if (!isDue(stage)) return;
    const elapsedMs = clock.now() - start;
    Object.assign(shown, { stage, atMs: elapsedMs });
    const cut = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line;
    log.progress(`${stage} (${Math.round(elapsedMs / 1000)} s)${cut && ` ${cut}`}`);
  };
  return { isDue, stage: show };
}
