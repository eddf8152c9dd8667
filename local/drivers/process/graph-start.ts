import type { GraphConfig } from "./checkout";
import type { Environment } from "./keeper/keeper";
import type { OutputLog } from "./servers/output";
import type { ServerStart } from "./servers/server";

/** Options of every start of a server. */
export interface Start extends Omit<ServerStart, "command"> {
  /** Takes its output. */
  readonly log: OutputLog;
}

/** The start of a server that runs the graphs of a checkout. */
export interface GraphStart extends Start {
  readonly config: GraphConfig;
  readonly environment: Environment;
}
