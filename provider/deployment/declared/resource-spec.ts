import { defaultOf } from "../../../sdk/schema/resource-defaults";
import { snakeKeys, snakeName } from "../../arguments/casing";
import { isRecord } from "../../../shared/records";
import { decodeMembers, Unknown } from "../../arguments/decode";
import { sameValue } from "../../arguments/props";

/** A resource spec by member. */
export type Spec = Readonly<Record<string, unknown>>;

/** Reads the argument `sourceConfig.resourceSpec`: its members that are not null. */
export function specIn(value: unknown): Spec | undefined {
  return decodeMembers(value);
}

/** The known members of a resource spec. */
export function knownMembers(spec: Spec | Unknown | undefined): Spec {
  return spec === Unknown || spec === undefined ? {} : spec;
}

/** The members that do more than repeat the service's default for the others. */
export function withoutDefaults(spec: Spec): Spec {
  const wire = snakeKeys(spec);
  const members = Object.entries(spec);
  return Object.fromEntries(
    members.filter(([key, value]) => !repeatsDefault(snakeName(key), value, wire)),
  );
}

/** Whether a value is what the service makes of the other members without it; the names are the wire's. */
export function repeatsDefault(key: string, value: unknown, spec: Spec): boolean {
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
export function repeats(seen: unknown, declared: unknown): boolean {
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
