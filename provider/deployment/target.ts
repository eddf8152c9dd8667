import type { Declared } from "./declared/declared";
import type { LastGood } from "./state";

/** The target of an operation on a deployment. */
export interface Target {
  readonly declared: Declared;
  /** The commit that the revision must have. @default the declared one, if any */
  readonly commit?: string | undefined;
  /** The last good revision of the state before the operation. */
  readonly lastGood: LastGood;
  /** Secret values of the time before the operation, which no text may show either. @default none */
  readonly formerSecrets?: readonly string[];
}
