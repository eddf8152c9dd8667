import { randomUUID } from "node:crypto";

/** Intervals of 100 ns between 15 October 1582, where UUID time begins, and 1970 (RFC 9562, 6.1 and 5.1). */
const UUID_EPOCH = 122_192_928_000_000_000n;

/**
 * A UUID of version 6 (RFC 9562, 5.6), as LangGraph's checkpoints have: as a string it sorts by time. It sorts after
 * `previous` even if the clock stands still, goes back or is another process's.
 */
export function checkpointIdAfter(previous: string | undefined, now: Date): string {
  const clock = BigInt(now.getTime()) * 10_000n + UUID_EPOCH;
  const least = previous === undefined ? clock : timeOf(previous) + 1n;
  const time = (clock > least ? clock : least).toString(16).padStart(15, "0");
  const variantAndNode = randomUUID().slice(19);
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-6${time.slice(12)}-${variantAndNode}`;
}

function timeOf(id: string): bigint {
  return BigInt(`0x${id.slice(0, 8)}${id.slice(9, 13)}${id.slice(15, 18)}`);
}
