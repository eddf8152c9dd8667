import { defaultOf } from "../../../sdk/schema/resource-defaults";
import { camelName, snakeKeys, snakeName } from "../../arguments/casing";
import { isRecord } from "../../../shared/records";
import { decodeMembers, Unknown } from "../../arguments/decode";
import { sameValue } from "../../arguments/props";

/** A resource spec by member. */
export type Spec = Readonly<Record<string, unknown>>;

/** A change of the declared resource spec. */
export interface SpecChange {
  readonly before: Spec;
  readonly after: Spec;
  /** Members with another value, as far as it is known. */
  readonly set: readonly string[];
  /** Members that are removed or set to null: the service keeps their values. */
  readonly dropped: readonly string[];
}

/** Reads the argument `sourceConfig.resourceSpec`: its members that are not null. */
export function specIn(value: unknown): Spec | undefined {
  return decodeMembers(value);
}

/**
 * Compares two resource specs; an `after` that is not known yet drops nothing. What only repeats a default, as in the state
 * of an import, was not declared.
 */
export function specChange(
  olds: Spec | Unknown | undefined,
  news: Spec | Unknown | undefined,
): SpecChange {
  const [recorded, after] = [knownMembers(olds), knownMembers(news)];
  const notDefault = withoutDefaults(recorded);
  const before = Object.fromEntries(
    Object.entries(recorded).filter(([key]) => key in notDefault || key in after),
  );
  return {
    before,
    after,
    set: Object.keys(after).filter(
      (key) => after[key] !== Unknown && !repeats(before[key], after[key]),
    ),
    dropped: news === Unknown ? [] : Object.keys(before).filter((key) => !(key in after)),
  };
}

/** The known members of a resource spec. */
export function knownMembers(spec: Spec | Unknown | undefined): Spec {
  return spec === Unknown || spec === undefined ? {} : spec;
}

/**
 * The whole resource spec to send, or undefined when the service has every changed value already. The service replaces
 * the spec as a whole, so its own is the base. A value that was never declared and only repeats a default of the old
 * values is left out, since it would keep the old default. So is what is `withdrawn`, by its member.
 */
export function mergedSpec(
  { before, after, set }: SpecChange,
  observed: Spec | null | undefined,
  withdrawn: readonly string[] = [],
): Spec | undefined {
  const declared = new Set(Object.keys({ ...snakeKeys(before), ...snakeKeys(after) }));
  const changes = Object.entries(snakeKeys(after)).filter(([key]) => set.includes(camelName(key)));
  // One that is not shown has at least what was declared before.
  const present = presentMembers(observed ?? snakeKeys(before));
  const isWithdrawn = (key: string): boolean => withdrawn.includes(camelName(key));
  const isThere = changes.every(([key, value]) => repeats(present[key], value));
  if (isThere && !Object.keys(present).some(isWithdrawn)) return undefined;
  const base = Object.entries(present)
    .filter(([key]) => !isWithdrawn(key))
    .filter(([key, value]) => declared.has(key) || !repeatsDefault(key, value, present));
  return { ...Object.fromEntries(base), ...Object.fromEntries(changes) };
}

function presentMembers(spec: Spec): Spec {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null));
}

/** The members that do more than repeat the service's default for the others. */
export function withoutDefaults(spec: Spec): Spec {
  const wire = snakeKeys(spec);
  const members = Object.entries(spec);
  return Object.fromEntries(
    members.filter(([key, value]) => !repeatsDefault(snakeName(key), value, wire)),
  );
}

function repeatsDefault(key: string, value: unknown, spec: Spec): boolean {
  const filled = defaultOf(key, spec);
  return filled !== undefined && value === filled;
}

/** The declared members with the values that the service shows; one that it does not show is gone. */
export function mergedMembers(declared: Spec, seen: Spec): Spec {
  const members = Object.entries(declared)
    .filter(([key]) => seen[key] !== undefined)
    .map(([key, value]) => [key, repeats(seen[key], value) ? value : seen[key]]);
  return Object.fromEntries(members);
}

/**
 * Whether the service says what was declared, where it may write a number as text. Deep in a pod it may write out what was
 * left out: null, or the empty `value` of a variable (contract, "Nested types").
 */
function repeats(seen: unknown, declared: unknown): boolean {
  if (Array.isArray(seen) && Array.isArray(declared))
    return seen.length === declared.length && seen.every((item, at) => repeats(item, declared[at]));
  if (typeof seen === "number" || typeof declared === "number")
    return Math.abs(amountOf(seen) - amountOf(declared)) < 1e-6;
  if (!isRecord(seen) || !isRecord(declared)) return sameValue(seen, declared);
  return Object.keys({ ...seen, ...declared }).every((name) =>
    name === "value"
      ? (seen[name] ?? "") === (declared[name] ?? "")
      : repeats(seen[name], declared[name]),
  );
}

/** The amount of a number, of its text, and of thousandths in Kubernetes' form: `500m`. */
function amountOf(quantity: unknown): number {
  const text = String(quantity);
  return text.endsWith("m") ? Number(text.slice(0, -1)) / 1000 : Number(text);
}
