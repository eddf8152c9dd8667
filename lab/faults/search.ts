import fc from "fast-check";
import type { Environment } from "./environment";
import { type Choice, histories } from "./generate";
import { printed, RESOURCE_TYPE_NAMES } from "./history";
import { type Report, runHistory } from "./run";

/** A history as it is printed, and what came of it. */
export interface Run extends Report {
  readonly history: string;
}

/** The most time that one failure is shrunk. */
const SHRINKING_MS = 120_000;

/**
 * Runs the history of a seed, which is another one for each kind. One that breaks something is shrunk, unless the caller
 * wants it as it is.
 */
export async function search(
  environment: Environment,
  choice: Choice,
  { seed, shrinks = true }: { readonly seed: number; readonly shrinks?: boolean },
): Promise<Run> {
  let found: Run | undefined;
  let endMs = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(fc.noBias(histories(choice)), async (history) => {
    // A history that was left in the middle would go on in the environment of the next one.
    if (performance.now() > endMs) return;
    const text = printed(history);
    const report = await runHistory(environment, history).catch((error: unknown) => {
      throw new Error(`the fault run fails at seed ${seed}:\n${text}`, { cause: error });
    });
    if (found === undefined) endMs = performance.now() + SHRINKING_MS;
    const [violation] = report.violations;
    if (found === undefined || violation !== undefined) found = { ...report, history: text };
    if (violation !== undefined) throw new Error(violation);
  });
  const { kind = "", engine = false } = choice;
  const sequence = [...RESOURCE_TYPE_NAMES, ""].findIndex((name) => name === kind);
  const options = {
    seed: sequence * 1_000_000 + seed,
    numRuns: 1,
    endOnFailure: !shrinks || engine,
  };
  const { errorInstance } = await fc.check(property, options);
  if (found === undefined) throw errorInstance;
  return found;
}
