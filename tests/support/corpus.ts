import type { Run } from "./run";
import type { Tier } from "./tiers";

/** The control plane that a program of the corpus deploys to. Every program has workspaces of its own. */
export interface Place {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly workspaceId: string;
  /** The workspace's integration and listener. */
  readonly integrationId: string;
  readonly listenerId: string;
}

/** The argument of `program`. */
export interface Settings extends Place {
  /** A further workspace on the same control plane. */
  readonly second: Place;
}

/** The expected result of a program. Resources are named as in the URN: `Team$Deployment support`, `Deployment support`. */
export interface Expected {
  /** The steps of the change from version 1 to version 2; every other resource is left as it is. */
  readonly steps: Readonly<Record<string, string>>;
  /** Names of outputs that are the same in both versions. */
  readonly kept?: readonly string[];
  /** `process` where a thread needs an agent server. @default "simulated" */
  readonly driver?: "simulated" | "process";
  /** The tier of tests that it begins to run in. @default "short" */
  readonly tier?: Tier;
}

/** A file of `tests/programs`. */
export interface ProgramFile {
  /** Declares everything of version 1, or of version 2; returns the stack's outputs. */
  program(settings: Settings, version: number): unknown;
  readonly expected: Expected;
}

/** The steps of a run, done or planned, for resources that are not left as they are. */
export function changesOf({ resources }: Run): Record<string, string> {
  const changed = Object.entries(resources).filter(([, step]) => !UNCHANGED.includes(step));
  return Object.fromEntries(changed);
}

const UNCHANGED: readonly string[] = ["same", "read", "refresh"];
