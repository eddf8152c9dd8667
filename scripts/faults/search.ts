import fc from "fast-check";
import { type Choice, histories } from "./generate";
import { type History, isCommand, RESOURCE_TYPE_NAMES, printed } from "./history";
import type { Risk } from "./ledger";
import { type Report, runHistory } from "./run";
import type { World } from "./world";

/** A history that breaks something, and the smallest one that shrinking has found to do so too. */
export interface Failure {
  readonly seed: number;
  readonly history: History;
  readonly report: Report;
}

/** Counts over schedules. */
export interface Summary {
  schedules: number;
  readonly broken: number[];
  /** Number of schedules that met a known risk. */
  readonly risks: Map<Risk, number>;
  /** Number of planned faults and kills. */
  readonly faults: Map<string, number>;
  /** Number of steps and commands. */
  readonly steps: Map<string, number>;
}

export function newSummary(): Summary {
  return { schedules: 0, broken: [], risks: new Map(), faults: new Map(), steps: new Map() };
}

/** The seed of another sequence for each kind, and for all of them. */
function seedOf({ kind }: Choice, seed: number): number {
  return (
    (kind === undefined ? RESOURCE_TYPE_NAMES.length : RESOURCE_TYPE_NAMES.indexOf(kind)) *
      1_000_000 +
    seed
  );
}

/** The history of a seed. */
function historyOf(choice: Choice, seed: number): History {
  const arbitrary = fc.noBias(histories(choice));
  const [history] = fc.sample(arbitrary, { seed: seedOf(choice, seed), numRuns: 1 });
  if (history === undefined) throw new Error(`seed ${seed} makes no history`);
  return history;
}

/** Runs the history of a seed; one that breaks something is shrunk, unless the caller wants it as it is. */
export async function search(
  world: World,
  choice: Choice,
  { seed, shrinks = true }: { readonly seed: number; readonly shrinks?: boolean },
  summary: Summary,
): Promise<Failure | undefined> {
  const history = historyOf(choice, seed);
  const report = await runHistory(world, history).catch((error: unknown) => {
    throw new Error(`the fault run fails at seed ${seed}:\n${printed(history)}`, { cause: error });
  });
  count(summary, history, report);
  if (report.violations.length === 0) return undefined;
  summary.broken.push(seed);
  const failure = { seed, history, report };
  return shrinks ? shrink(world, choice, failure) : failure;
}

/** The most time that one failure is shrunk. */
const SHRINKING_MS = 120_000;

async function shrink(world: World, choice: Choice, found: Failure): Promise<Failure> {
  const { seed } = found;
  let smallest = found;
  const endMs = performance.now() + SHRINKING_MS;
  const property = fc.asyncProperty(fc.noBias(histories(choice)), async (history) => {
    // A history that was left in the middle would go on in the world of the next one.
    if (performance.now() > endMs) return;
    const report = await runHistory(world, history);
    if (report.violations.length === 0) return;
    smallest = { seed, history, report };
    throw new Error(report.violations[0]);
  });
  await fc.check(property, { seed: seedOf(choice, seed), numRuns: 1 });
  return smallest;
}

function count(summary: Summary, { steps, climate }: History, { risks }: Report): void {
  const add = <Key>(counts: Map<Key, number>, key: Key): void =>
    void counts.set(key, (counts.get(key) ?? 0) + 1);
  summary.schedules += 1;
  for (const name of Object.keys(climate)) add(summary.faults, name);
  for (const risk of risks) add(summary.risks, risk);
  for (const step of steps) {
    add(summary.steps, isCommand(step) ? step.run : step.does);
    if (!isCommand(step)) continue;
    for (const { what } of [...step.faults, ...(step.meanwhile?.faults ?? [])])
      add(summary.faults, what);
  }
}
