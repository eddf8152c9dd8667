import type { Declared } from "../declared/declared";
import type { Rollout } from "../declared/state";
import type { Observed } from "./observe";

/** What the service has after a request, and how far the roll-out of that is. */
export interface RolloutResult extends Observed {
  readonly rollout: Rollout;
  /** The values that a rollback has put back. @default the declared ones */
  readonly putBack?: Declared;
}

/** The deployment was accepted, and is not what is declared. */
export class RolloutError extends Error {
  override readonly name: string = "RolloutError";
  readonly result: RolloutResult;
  /** Why, and what to do now; the headline comes first. */
  readonly lines: readonly string[];

  constructor(result: RolloutResult, lines: readonly string[]) {
    super(lines.join("\n"));
    this.result = result;
    this.lines = lines;
  }
}

/** The revision is deployed, and too few runs of its gate passed. */
export class GateError extends RolloutError {}
