import type { ControlPlane } from "../../sdk";
import { Ownership } from "../deployment/ownership";

/** What one provider process knows besides the state: it begins empty with each command, and ends with the process. */
export interface Memory {
  /** One client for each set of settings. */
  readonly clients: Map<string, ControlPlane>;
  /** Lasting messages that were shown, each with its URN. */
  readonly shown: Set<string>;
  /** Which resource owns which deployment. */
  readonly ownership: Ownership;
  /** Ids of threads that the state holds, each with its resource's URN. */
  readonly held: Set<string>;
  /** URNs of resources that were there already. */
  readonly existing: Set<string>;
  /** URNs of resources whose replacement was explained. */
  readonly announced: Set<string>;
}

export function newMemory(): Memory {
  return {
    clients: new Map(),
    shown: new Set(),
    ownership: new Ownership(),
    held: new Set(),
    existing: new Set(),
    announced: new Set(),
  };
}
