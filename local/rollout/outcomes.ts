import { z } from "zod";
import type { Time } from "../../shared/clock";
import { factsOf, isIn, type Stage, STAGES, statusesIn } from "../../sdk/status";

/**
 * The simulated result of a stage's next run, in place of the driver's work: the stage's own failure, `INTERRUPTED`, or
 * for `create` also `SKIPPED`. Without `deploymentId` it applies to the next run of any deployment.
 */
export const Outcome = z
  .strictObject({
    deploymentId: z.guid().toLowerCase().optional(),
    stage: z.enum(STAGES),
    status: z.enum([
      ...statusesIn("failed"),
      ...statusesIn("interrupted"),
      ...statusesIn("superseded"),
    ]),
    reason: z.string().default("as the admin API asked for"),
  })
  .refine(
    ({ stage, status }) =>
      factsOf(status).stage === stage ||
      isIn("interrupted", status) ||
      (isIn("superseded", status) && stage === "create"),
    { path: ["status"], message: "is not a possible result of this stage" },
  );
export type Outcome = z.infer<typeof Outcome>;

/** The outcomes that are not used yet; each is used once, in the order of their addition. */
export class Outcomes {
  readonly #waiting: Outcome[] = [];
  readonly #clock: Time;
  readonly #stageSeconds: number;

  constructor(clock: Time, stageSeconds: number) {
    this.#clock = clock;
    this.#stageSeconds = stageSeconds;
  }

  get waiting(): readonly Outcome[] {
    return this.#waiting;
  }

  add(outcome: Outcome): void {
    this.#waiting.push(outcome);
  }

  clear(): void {
    this.#waiting.length = 0;
  }

  /** The outcome of this run of a stage, if there is one, after the duration of a simulated stage. */
  async take(deploymentId: string, stage: Stage, signal: AbortSignal) {
    const index = this.#waiting.findIndex(
      (outcome) =>
        outcome.stage === stage &&
        (outcome.deploymentId === undefined || outcome.deploymentId === deploymentId),
    );
    const [outcome] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!outcome) return undefined;
    await this.#clock.sleep(this.#stageSeconds * 1000, signal);
    return { type: eventOf(outcome.status), reason: outcome.reason };
  }
}

function eventOf(status: Outcome["status"]): "failed" | "interrupted" | "superseded" {
  if (isIn("interrupted", status)) return "interrupted";
  return isIn("superseded", status) ? "superseded" : "failed";
}
