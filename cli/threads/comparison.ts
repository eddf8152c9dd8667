import { isRecord, recordOf } from "../../shared/records";
import { essentialOf, isMessage } from "./messages";

/** The place of the first difference of two values, such as `messages[3].content`; undefined where they are equal. */
export function firstDifference(wanted: unknown, found: unknown, path = ""): string | undefined {
  const [a, b] = [comparable(wanted), comparable(found)];
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return `${path} (${b.length} instead of ${a.length})`;
    return firstOf(a.map((item, at) => firstDifference(item, b[at], `${path}[${at}]`)));
  }
  if (isRecord(a) && isRecord(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return firstOf(
      keys.map((key) => firstDifference(a[key], b[key], path ? `${path}.${key}` : key)),
    );
  }
  return Object.is(a, b) ? undefined : path;
}

/**
 * The place of the first number that `JSON.parse` may have rounded: one beyond 2^53, such as an id of 19 digits, which both
 * sides of a comparison then have rounded. Undefined where there is none.
 */
export function firstRounded(value: unknown, path = ""): string | undefined {
  if (typeof value === "number")
    return Math.abs(value) > Number.MAX_SAFE_INTEGER ? path : undefined;
  if (Array.isArray(value))
    return firstOf(value.map((item, at) => firstRounded(item, `${path}[${at}]`)));
  return firstOf(
    Object.entries(recordOf(value)).map(([key, member]) =>
      firstRounded(member, path ? `${path}.${key}` : key),
    ),
  );
}

function firstOf(differences: readonly (string | undefined)[]): string | undefined {
  return differences.find((difference) => difference !== undefined);
}

/** A value without what servers show in different ways. */
function comparable(value: unknown): unknown {
  if (value === null) return undefined;
  return isMessage(value) ? essentialOf(value) : value;
}
