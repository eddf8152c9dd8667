import { isDeepStrictEqual } from "node:util";
import { isRecord } from "./records";

/** A value that differs between two records. */
export interface Change {
  /** Its place: `context.prompt`. */
  readonly path: string;
  /** Undefined where it was absent. */
  readonly before: unknown;
  /** Undefined where it is absent. */
  readonly after: unknown;
}

/** The values that differ, by their paths; those of nested records one by one, and lists as a whole. */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  prefix = "",
): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name): Change[] => {
    const [old, now] = [before[name], after[name]];
    const path = prefix + name;
    if (isDeepStrictEqual(old, now)) return [];
    if (isRecord(old) && isRecord(now)) return changesBetween(old, now, `${path}.`);
    return [{ path, before: old, after: now }];
  });
}
