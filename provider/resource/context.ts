import type { Clock } from "../../shared/clock";
import type { Settings } from "../../settings/settings";
import type { Log } from "./engine-log";
import type { ProcessCache } from "./process-cache";
import type { StackState } from "./stack-state";

/** The environment of a verb of a lifecycle, besides its properties. */
export interface Context {
  /** Whether `pulumi import` works: what a read finds then becomes the inputs of a program. */
  readonly canImport: boolean;
  /** Read when needed: a wrong setting is an error of the verb, with every problem in it. */
  readonly settings: () => Settings;
  readonly log: Log;
  readonly clock: Clock;
  readonly processCache: ProcessCache;
  /** Reads the state of the stack that runs, or is previewed. Rejects where it cannot be read. */
  readonly readState: (isPreview?: boolean) => Promise<StackState>;
  /** The resource's URN. In `read` and `delete` it may be older than a rename. */
  readonly urn: string | undefined;
  /** Aborted when the run is cancelled: waits end at once. @default never */
  readonly signal?: AbortSignal | undefined;
  /** When the waits of the operation must be over, by the clock: the option `customTimeouts`. @default as declared */
  readonly deadline?: number | undefined;
}
