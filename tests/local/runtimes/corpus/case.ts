import type { Tier } from "../../../support/tiers";

/** A small repository as people have them, and what becomes of it. */
export interface Case {
  readonly what: string;
  /** `long` for the few that stand for the others. @default "nightly" */
  readonly tier?: Tier;
  readonly files: Readonly<Record<string, string | object>>;
  /** The path of the graph configuration. @default "langgraph.json" */
  readonly config?: string;
  /** The command that writes its lock file. */
  readonly lock?: string;
  readonly secrets?: readonly { readonly name: string; readonly value: string }[];
  /** The graph's answer; a pattern where it depends on the machine. */
  readonly answer?: string | RegExp;
  /** Why its build fails instead. */
  readonly refusal?: RegExp;
  /** A line of its build log. */
  readonly log?: RegExp;
  /** Other requests to its server: what the answer to a path contains. */
  readonly asks?: Readonly<Record<string, string>>;
}

export const configured = (path: string, more: object = {}) => ({
  graphs: { agent: path },
  ...more,
});
