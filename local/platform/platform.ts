import type { HttpBindings } from "@hono/node-server";
import type { Admin } from "../admin";
import type { PlatformClock } from "./clock";
import type { Driver } from "../drivers/driver";
import type { Logs } from "../logs/logs";
import type { Scheduler } from "../rollout/scheduler";
import type { Store, Workspace } from "../store";

/** Which hosting model to enforce: it decides which sources are offered (contract, "Deployment"). */
export type Hosting = "cloud" | "self-hosted";

/** What the routes work with. */
export interface Platform {
  readonly url: string;
  readonly listen: string;
  readonly hosting: Hosting | undefined;
  readonly agentAuth: boolean;
  /** Other origins than the platform's own whose pages may ask agent servers. */
  readonly allowOrigins: readonly string[];
  readonly store: Store;
  readonly clock: PlatformClock;
  readonly logs: Logs;
  readonly driver: Driver;
  readonly scheduler: Scheduler;
  readonly admin: Admin;
}

/** What a handler finds in its context. */
export interface Env {
  Bindings: HttpBindings;
  Variables: { workspace: Workspace };
}
