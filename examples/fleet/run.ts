/** The end of a tenant's work. */
export interface Result {
  readonly tenant: string;
  readonly outcome: "done" | "up to date" | "failed" | "not started";
  readonly attempts: number;
  readonly seconds: number;
  /** The reason of a failure, else what the work returned. */
  readonly detail: string;
}

/** Options of the work on tenants. */
export interface RunOptions {
  /** Number of tenants at a time. */
  readonly parallel: number;
  /** The most attempts for a tenant. The second attempts begin when every tenant has had its first. */
  readonly attempts: number;
  /** Once aborted, no work is started. What runs is awaited. */
  readonly signal: AbortSignal;
  /** Called after each attempt. */
  readonly report: (result: Result) => void;
}

/** The work of one tenant: it returns what the table shows, or undefined where there was nothing to do. */
export type Work = (tenant: string) => Promise<string | undefined>;

/** Runs the work of all tenants. A tenant that fails stops no other. The results are in the order of the tenants. */
export async function runAll(
  tenants: readonly string[],
  work: Work,
  { parallel, attempts, signal, report }: RunOptions,
): Promise<Result[]> {
  const results = new Map(tenants.map((tenant) => [tenant, notStarted(tenant)]));
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    // All workers share one iterator: each takes the next tenant.
    const queue = [...results.values()].filter(isOpen).values();
    const worker = async (): Promise<void> => {
      for (const before of queue) {
        if (signal.aborted) return;
        const result = await tryOnce(before, work);
        results.set(result.tenant, result);
        report(result);
      }
    };
    await Promise.all(Array.from({ length: parallel }, worker));
  }
  return [...results.values()];
}

/** Whether a later run has to work on the tenant again. */
export function isOpen({ outcome }: Result): boolean {
  return outcome === "failed" || outcome === "not started";
}

function notStarted(tenant: string): Result {
  return { tenant, outcome: "not started", attempts: 0, seconds: 0, detail: "" };
}

async function tryOnce(before: Result, work: Work): Promise<Result> {
  const startMs = Date.now();
  const end = (outcome: Result["outcome"], detail: string): Result => ({
    tenant: before.tenant,
    outcome,
    attempts: before.attempts + 1,
    seconds: before.seconds + (Date.now() - startMs) / 1000,
    detail,
  });
  try {
    const detail = await work(before.tenant);
    return detail === undefined ? end("up to date", "") : end("done", detail);
  } catch (error) {
    return end("failed", error instanceof Error ? error.message : String(error));
  }
}
