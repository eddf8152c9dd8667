import type { Context } from "./context";

/** What a wait shows of the stages that it goes through. */
export interface Progress {
  /** Shows a stage that is new, or a sign of life. */
  readonly stage: (stage: string) => void;
  /** Shows the stage that ended the wait. */
  readonly end: (stage: string) => void;
}

/** Without a change of stage a sign of life is given this often. */
const HEARTBEAT_MS = 15_000;

/** The progress of a wait that begins now. */
export function progressOf({ clock, log }: Pick<Context, "clock" | "log">): Progress {
  const start = clock.now();
  const shown = { stage: "", atMs: 0 };
  const show = (stage: string): void => {
    const elapsedMs = clock.now() - start;
    if (stage === shown.stage && elapsedMs - shown.atMs < HEARTBEAT_MS) return;
    Object.assign(shown, { stage, atMs: elapsedMs });
    log.progress(`${stage} (${Math.round(elapsedMs / 1000)} s)`);
  };
  return {
    stage: show,
    // Whoever was shown a stage is shown the end too; where there was none, a message costs more than the wait.
    end: (stage) => {
      if (shown.stage) show(stage);
    },
  };
}
