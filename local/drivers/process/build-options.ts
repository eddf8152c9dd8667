import type { AgentServerChoice, Work } from "../driver";
import type { Cache } from "./cache";
import type { GraphConfig } from "./checkout";
import type { Folders } from "./folders";
import type { Git } from "./git/git";
import type { Environment, Keeper } from "./keeper/keeper";

export interface BuildOptions {
  readonly keeper: Keeper;
  readonly git: Git;
  readonly folders: Folders;
  readonly cache: Cache;
  readonly agentServer: AgentServerChoice;
  /** Without the deployment's secrets. */
  readonly environment: Environment;
  readonly limitSeconds: number;
}

/** A build whose commit is checked out. */
export interface Build extends BuildOptions, Work {
  readonly config: GraphConfig;
}
