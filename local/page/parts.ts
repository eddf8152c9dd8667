import type { Admin } from "../admin";
import type { Driver } from "../drivers/driver";
import type { Logs } from "../logs/logs";
import type { PlatformClock } from "../platform/clock";
import type { Store } from "../store";

/** The parts of the platform that the page shows. */
export interface PageParts {
  readonly store: Store;
  readonly logs: Logs;
  readonly driver: Driver;
  readonly clock: PlatformClock;
  readonly admin: Admin;
  /** Aborted when the platform closes: live streams end. */
  readonly closing: AbortSignal;
  /** The live streams of all readers. */
  readonly streams: { open: number };
}
