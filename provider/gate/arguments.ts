import type { Input } from "@pulumi/pulumi";

/**
 * The expectation of a run: one of `contains`, `equals` and `matches`, or a `path` alone. They are about the text of the
 * last message, which must be the AI's, or with `path` about that value of the state.
 */
export interface ExpectationArgs {
  /**
   * A part of the text, in the same case.
   * @default none
   */
  contains?: Input<string | undefined>;
  /**
   * The whole text, without blanks around it; with `path` any value.
   * @default none
   */
  equals?: Input<unknown>;
  /**
   * A regular expression of JavaScript that fits a part of the text: `^Order \d+`.
   * @default none
   */
  matches?: Input<string | undefined>;
  /**
   * The path of a value of the state after the run: `order.items[0].sku`, `messages[-1].name`. Alone it asks for any value
   * but null.
   * @default the text of the last message
   */
  path?: Input<string | undefined>;
}

/** One run of a gate, on a thread of its own, which is deleted afterwards. */
export interface GateRunArgs {
  /** The input of the graph: `{ messages: [{ role: "user", content: "Where is order 7?" }] }`. */
  input: Input<Record<string, unknown>>;
  /** The expectation. A run that fails or is interrupted meets none. */
  expect: Input<ExpectationArgs>;
}

/** Runs that must meet their expectations, five at a time. Each costs what the graph's models cost. */
export interface GateArgs {
  /** The runs. */
  runs: Input<Input<GateRunArgs>[]>;
  /**
   * The share of the runs that must pass, above 0 and up to 1.
   * @default 0.9
   */
  atLeast?: Input<number | undefined>;
  /**
   * In seconds: how long a run may take in all. One that is late is cancelled and does not pass.
   * @default 60
   */
  timeoutSeconds?: Input<number | undefined>;
}
