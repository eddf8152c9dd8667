import { isDeepStrictEqual } from "node:util";
import { filterMembers, isRecord, mapMembers } from "../../shared/records";

/** Inputs and outputs as the engine passes them: plain JSON. */
export type Props = Readonly<Record<string, unknown>>;

/**
 * The engine's placeholder for an unknown value of any type (`pulumi.runtime.unknownValue`; repeated here so that the
 * lifecycle loads without Pulumi's SDK).
 */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The members of these names that exist. */
export function membersOf<Members extends object>(
  props: Members,
  names: readonly string[],
): Partial<Members>;
export function membersOf(props: Props, names: readonly string[]): Props {
  return filterMembers(props, (_, name) => names.includes(name));
}

/** The hidden members of inputs and state, for our own use: the provider's text and the resource's URN. */
export function hiddenOf(props: Props): Props {
  return filterMembers(props, (_, name) => isHidden(name));
}

/** The members that are not hidden. */
export function visibleOf(props: Props): Props {
  return filterMembers(props, (_, name) => !isHidden(name));
}

/** Whether there are none, as where a resource is new. */
export function isEmpty(props: Props): boolean {
  return Object.keys(props).every(isHidden);
}

function isHidden(name: string): boolean {
  return name.startsWith("__");
}

/** The value at a dotted path; undefined where the path ends early, UNKNOWN where something on it is unknown. */
export function valueAt(props: unknown, path: string): unknown {
  let value = props;
  for (const key of path.split(".")) {
    if (value === UNKNOWN) return UNKNOWN;
    value = isRecord(value) ? value[key] : undefined;
  }
  return value ?? undefined;
}

/** Whether a value is unknown or holds an unknown one. */
export function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(hasUnknown);
}

/** Equal by value; null and absent are equal. */
export function sameValue(left: unknown, right: unknown): boolean {
  return left === right || isDeepStrictEqual(left ?? undefined, right ?? undefined);
}

/** Whether a value equals one of which parts are unknown, as far as they are known. */
export function sameKnown(partly: unknown, value: unknown): boolean {
  if (partly === UNKNOWN) return true;
  if (Array.isArray(partly) && Array.isArray(value))
    return partly.length === value.length && partly.every((item, at) => sameKnown(item, value[at]));
  if (!isRecord(partly) || !isRecord(value)) return sameValue(partly, value);
  const names = [...new Set([...Object.keys(partly), ...Object.keys(value)])];
  return names.every((name) => sameKnown(ownMember(partly, name), ownMember(value, name)));
}

/** A member of its own: every object also inherits some, such as `constructor`. */
export function ownMember(props: Props, name: string): unknown {
  return Object.hasOwn(props, name) ? props[name] : undefined;
}

/** Whether inputs equal others of which parts are unknown, as far as they are known and not hidden. */
export function sameInputs(partly: Props, inputs: Props): boolean {
  const names = Object.keys({ ...partly, ...inputs }).filter((name) => !isHidden(name));
  return names.every((name) => sameKnown(partly[name], inputs[name]));
}

/** A copy without undefined members at any depth, which the engine's protocol has no form for. */
export function withoutUndefined<Value>(value: Value): Value;
export function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutUndefined(item) ?? null);
  if (!isRecord(value)) return value;
  const defined = filterMembers(value, (member) => member !== undefined);
  return mapMembers(defined, (member) => withoutUndefined(member));
}

/** Members without null. None is optional, so that an output of them has an output for each. */
export type Present<Members> = {
  [Name in keyof Required<Members>]: NonNullable<Members[Name]> | undefined;
};

/** The members that are neither null nor undefined. */
export function present<Members extends object>(members: Members): Present<Members>;
export function present(members: Props): object {
  return filterMembers(members, (value) => value !== null && value !== undefined);
}
