import type { Dialect } from "../../sdk/dialect";
import type { Driver } from "../drivers/driver";
import type { Logs } from "../logs/logs";
import type { PlatformClock } from "../platform/clock";
import type { Scheduler } from "../rollout/scheduler";
import type { Store } from "../store";

/** The hosting model to enforce: it decides which sources are offered (contract, "Deployment"). */
export type Hosting = "cloud" | "self-hosted";

/** Dependencies of the request handlers. */
export interface Platform {
  readonly url: string;
  readonly listen: string;
  readonly hosting: Hosting | undefined;
  /** The names on the wire. */
  readonly dialect: Dialect;
  readonly agentAuth: boolean;
  /** Origins besides the platform's own whose pages may send requests to agent servers. */
  readonly allowOrigins: readonly string[];
  readonly store: Store;
  readonly clock: PlatformClock;
  readonly logs: Logs;
  readonly driver: Driver;
  readonly scheduler: Scheduler;
}
