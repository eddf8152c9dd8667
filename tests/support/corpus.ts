import type { Tier } from "./tiers";

/** The argument of `program`: the control plane that it deploys to, and the integration there. */
export interface Settings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly workspaceId: string;
  readonly integrationId: string;
}

/** The expected result of a program. Resources are named as in the URN: `Team$Deployment support`, `Deployment support`. */
export interface Expected {
  /** The steps of the change from version 1 to version 2; every other resource is left as it is. */
  readonly steps: Readonly<Record<string, string>>;
  /** Names of outputs that are the same in both versions. */
  readonly kept: readonly string[];
  /** The tier of tests that it begins to run in. @default "short" */
  readonly tier?: Tier;
}

/** A file of `tests/programs`. */
export interface ProgramFile {
  /** Declares everything of version 1, or of version 2; returns the stack's outputs. */
  program(settings: Settings, version: number): unknown;
  readonly expected: Expected;
}
