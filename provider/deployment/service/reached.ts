import type { Declared } from "../declared/declared";
import type { Rollout } from "../declared/state";
import type { Observed } from "./observed";

/** The result of an operation on a deployment that the service has accepted. */
export interface Reached {
  readonly observed: Observed;
  readonly rollout: Rollout;
  /** The values that a rollback has put back. @default the declared ones */
  readonly putBack?: Declared;
}

/** The operation has reached something else than what is declared. */
export class Unreached extends Error {
  override readonly name: string = "Unreached";
  readonly reached: Reached;
  /** Why, and what to do now; the headline comes first. */
  readonly lines: readonly string[];

  constructor(reached: Reached, lines: readonly string[]) {
    super(lines.join("\n"));
    this.reached = reached;
    this.lines = lines;
  }
}

/** The revision is deployed, and too few runs of its gate passed. */
export class GateFailed extends Unreached {}
