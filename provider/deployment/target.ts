import type { Declared } from "./declared/declared";
import type { LastGood } from "./state";

/** What an operation is to bring a deployment to. */
export interface Target {
  readonly declared: Declared;
  /** What the state before the operation can go back to. */
  readonly lastGood: LastGood;
  /** Secret values of the time before the operation, which no text may show either. @default none */
  readonly formerSecrets?: readonly string[];
}
