import type { Context } from "./context";

/** Shows the stages of a wait. */
export interface Progress {
  /** Shows a new stage at once, and the same one as a heartbeat. */
  readonly stage: (stage: string) => void;
  /** Shows the stage that ended the wait. */
  readonly end: (stage: string) => void;
}

/** The interval at which a stage that stays is shown again. */
const HEARTBEAT_MS = 15_000;

/** The progress of a wait that starts now. */
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
    // Without a stage shown, a message would cost more time than the wait.
    end: (stage) => {
      if (shown.stage) show(stage);
    },
  };
}
