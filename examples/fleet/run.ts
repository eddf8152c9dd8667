/** The end of a tenant's work. */
export interface Result {
  readonly tenant: string;
  readonly outcome: "done" | "up to date" | "failed" | "not started";
  readonly attempts: number;
  readonly seconds: number;
  /** The reason of a failure, else what the work returned. */
  readonly detail: string;
  /** Whether another attempt can help. */
  readonly canRetry: boolean;
}

/** A failure that another attempt repeats, such as that of the program. */
export class FinalFailure extends Error {}

/** Options of the work on tenants. */
export interface RunOptions {
  /** Number of tenants at a time. */
  readonly parallel: number;
  /** The most attempts for a tenant. The second attempts of a wave begin when each of its tenants has had its first. */
  readonly attempts: number;
  /** Once so many tenants have failed, no work is started. */
  readonly maxFailures: number;
  /** Once aborted, no work is started. What runs is awaited. */
  readonly signal: AbortSignal;
  /** Called after each attempt, with all results so far. */
  readonly report: (result: Result, all: readonly Result[]) => void;
}

/** The work of one tenant: it returns what the table shows, or undefined where there was nothing to do. */
export type Work = (tenant: string) => Promise<string | undefined>;

/** One tenant, a tenth of all, and the rest: what is wrong with a release shows before all have it. */
export function wavesOf(tenants: readonly string[]): (readonly string[])[] {
  const second = 1 + Math.ceil(tenants.length / 10);
  const waves = [tenants.slice(0, 1), tenants.slice(1, second), tenants.slice(second)];
  return waves.filter((wave) => wave.length > 0);
}

/**
 * Runs the work of all tenants, wave by wave. A tenant that fails stops no other of its wave; a wave in which one has failed
 * at its last attempt is the last. The results are in the order of the tenants.
 */
export async function runAll(
  waves: readonly (readonly string[])[],
  work: Work,
  options: RunOptions,
): Promise<Result[]> {
  const results = new Map(waves.flat().map((tenant) => [tenant, notStarted(tenant)]));
  for (const wave of waves) {
    await runWave(wave, work, results, options);
    if (wave.some((tenant) => isOpen(results.get(tenant) ?? notStarted(tenant)))) break;
  }
  return [...results.values()];
}

async function runWave(
  wave: readonly string[],
  work: Work,
  results: Map<string, Result>,
  { parallel, attempts, maxFailures, signal, report }: RunOptions,
): Promise<void> {
  const failures = (): number =>
    [...results.values()].filter(({ outcome }) => outcome === "failed").length;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    // All workers share one iterator: each takes the next tenant.
    const queue = wave
      .map((tenant) => results.get(tenant) ?? notStarted(tenant))
      .filter((result) => isOpen(result) && result.canRetry)
      .values();
    const worker = async (): Promise<void> => {
      for (const before of queue) {
        if (signal.aborted || failures() >= maxFailures) return;
        const result = await tryOnce(before, work);
        results.set(result.tenant, result);
        report(result, [...results.values()]);
      }
    };
    await Promise.all(Array.from({ length: parallel }, worker));
  }
}

/** Whether a later run has to work on the tenant again. */
export function isOpen({ outcome }: Result): boolean {
  return outcome === "failed" || outcome === "not started";
}

function notStarted(tenant: string): Result {
  return { tenant, outcome: "not started", attempts: 0, seconds: 0, detail: "", canRetry: true };
}

async function tryOnce(before: Result, work: Work): Promise<Result> {
  const startMs = Date.now();
  const end = (outcome: Result["outcome"], detail: string, canRetry = true): Result => ({
    tenant: before.tenant,
    outcome,
    attempts: before.attempts + 1,
    seconds: before.seconds + (Date.now() - startMs) / 1000,
    detail,
    canRetry,
  });
  try {
    const detail = await work(before.tenant);
    return detail === undefined ? end("up to date", "") : end("done", detail);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return end("failed", detail, !(error instanceof FinalFailure));
  }
}
