import { z } from "zod";
import type { Fault, Passing } from "./proxy";
import { Random } from "./random";
import type { Replicas } from "./replicas";

/** What every command of a history meets. */
export const Conditions = z.strictObject({
  /** The number of requests that the services take in a second, and at once. */
  requestsPerSecond: z.int().min(1).optional(),
  /** Whether every other read is of a replica that is late. */
  isLate: z.boolean().optional(),
  /** Threads are copies; the responses to so many are lost. */
  lostCopies: z.int().optional(),
});
export type Conditions = z.infer<typeof Conditions>;

/** What a request meets before it reaches the service. */
export type ConditionFault = (passing: Passing) => Fault | undefined;

/** The conditions of one history. */
export function conditionFaults(
  conditions: Conditions,
  replicas: Replicas,
  seed: number,
): ConditionFault {
  const { requestsPerSecond: rate, isLate } = conditions;
  const random = new Random(seed);
  const bucket = { tokens: rate ?? 0, atMs: replicas.now() };
  let { lostCopies = 0 } = conditions;
  const isThrottled = (): boolean => {
    if (rate === undefined) return false;
    const now = replicas.now();
    const filled = Math.min(bucket.tokens + ((now - bucket.atMs) / 1000) * rate, rate);
    Object.assign(bucket, { tokens: filled < 1 ? filled : filled - 1, atMs: now });
    return filled < 1;
  };
  return (passing) => {
    if (isThrottled()) return "429";
    if (isCopy(passing) && (lostCopies -= 1) >= 0) return "lost after";
    return isLate && random.chance(0.5) ? replicas.laggingFault(passing) : undefined;
  };
}

/** Whether a request copies a thread. */
export function isCopy({ method, path }: Passing): boolean {
  return method === "POST" && /^\/threads\/[^/]+\/copy$/.test(path);
}
