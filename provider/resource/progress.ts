import { isSameStage } from "../../sdk/wait";
import type { Context } from "./context";

/** Shows the stages of a wait, as a sign of life. The time that it takes, and what came of it, is the engine's to show. */
export interface Progress {
  /** Whether `stage` shows this stage now. */
  readonly isDue: (stage: string) => boolean;
  /** Shows a stage, where it is due, and the newest line of its log. */
  readonly stage: (stage: string, line?: string) => void;
  /**
   * Shows the end of a wait that was long enough to show stages: the last one would stay beside Pulumi's result, which the
   * engine must not have before.
   */
  readonly end: (text: string) => Promise<void>;
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
  const shown = { stage: "", atMs: start };
  const isDue = (stage: string): boolean =>
    clock.now() - shown.atMs >=
    (isSameStage(stage, shown.stage) ? HEARTBEAT_MS : SHORTEST_PAUSE_MS);
  const show = (stage: string, line = ""): void => {
    if (!isDue(stage)) return;
    Object.assign(shown, { stage, atMs: clock.now() });
    const cut = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line;
    void log.progress(cut ? `${stage}: ${cut}` : stage);
  };
  const end = async (text: string): Promise<void> => {
    if (clock.now() - start >= SHORTEST_PAUSE_MS) await log.progress(text);
  };
  return { isDue, stage: show, end };
}
