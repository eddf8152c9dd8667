import type { Clock } from "../../shared/clock";
import type { Settings } from "../config/settings";
import type { Log } from "./engine-log";
import type { Memory } from "./memory";

/** What a verb of a lifecycle works with besides its properties. */
export interface Context {
  /** Read when needed: a wrong setting is an error of the verb, with every problem in it. */
  readonly settings: () => Settings;
  readonly log: Log;
  readonly clock: Clock;
  readonly memory: Memory;
  /** The resource's URN. In `read` and `delete` it may be older than a rename. */
  readonly urn: string | undefined;
}
