import type { Conditions, Fault } from "./history";
import type { Passing } from "./proxy";
import { Random } from "./random";
import type { Replicas } from "./replicas";
import { isCopy } from "./requests";

/** What a request meets before it reaches the service. */
export type ConditionFault = (passing: Passing) => Fault | undefined;

/** The conditions of one history. */
export function conditionFaults(
  { requestsPerSecond = Infinity, isLate, lostCopies = 0 }: Conditions,
  replicas: Replicas,
  seed: number,
): ConditionFault {
  const random = new Random(seed);
  const isLet = tokenBucket(requestsPerSecond, replicas.now);
  let lost = 0;
  return (passing) => {
    if (!isLet()) return "429";
    if (isCopy(passing) && (lost += 1) <= lostCopies) return "lost after";
    return isLate && random.chance(0.5) ? replicas.laggingFault(passing) : undefined;
  };
}

/** Says of each request whether it is one of so many in a second, a second's worth at once. */
export function tokenBucket(rate: number, now: () => number): () => boolean {
  if (rate === Infinity) return () => true;
  let [tokens, atMs] = [rate, now()];
  return () => {
    const nowMs = now();
    tokens = Math.min(rate, tokens + ((nowMs - atMs) / 1000) * rate);
    atMs = nowMs;
    const isLet = tokens >= 1;
    if (isLet) tokens -= 1;
    return isLet;
  };
}
