import type { Admin } from "../admin";
import type { Driver } from "../drivers/driver";
import type { Logs } from "../logs/logs";
import type { PlatformClock } from "../platform/clock";
import type { Store } from "../store";

/** The platform itself, for people who have several. */
export interface PlatformFacts {
  readonly url: string;
  /** The data folder, an absolute path. */
  readonly dataDir: string;
  readonly driver: string;
  /** Of this package. */
  readonly version: string;
  /** Whether agent URLs ask for the workspace's key. */
  readonly agentAuth: boolean;
}

/** The parts of the platform that the page shows. */
export interface PageParts {
  readonly facts: PlatformFacts;
  readonly store: Store;
  readonly logs: Logs;
  readonly driver: Driver;
  readonly clock: PlatformClock;
  readonly admin: Admin;
  /** Aborted when the platform closes: live streams end. */
  readonly closing: AbortSignal;
  /** The live streams of all readers. */
  readonly streams: { open: number };
  /** A graph of the agent servers, by the id of the revision that they run. */
  readonly graphs: Map<string, { readonly graph: string | undefined }>;
}
