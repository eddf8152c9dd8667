import { filterMembers, isRecord, recordOf } from "../../shared/records";
import { optionsIn } from "./option-inputs";
import { type Props, sameValue, UNKNOWN } from "./props";

/** The keys of a property path as Pulumi writes it: `env.A`, `env["a.b"]`, `sourceConfig.*`. */
export function keysOf(path: string): string[] {
  return [...path.matchAll(/"([^"]*)"|[^.[\]"]+/g)].map(([key, quoted]) => quoted ?? key);
}

/** Whether the path with these keys leads to an argument or to a member of it, or names what the argument is in. */
export function isOnPath(argument: string, keys: readonly string[]): boolean {
  return argument.split(".").every((key, at) => [key, "*", undefined].includes(keys[at]));
}

/** The property paths at which two sets of inputs differ. */
export function changedPaths(paths: readonly string[], olds: Props, news: Props): string[] {
  return paths.filter((path) => differ(keysOf(path), olds, news));
}

function differ([first, ...rest]: readonly string[], olds: unknown, news: unknown): boolean {
  if (first === undefined) return !sameValue(olds, news);
  // Of an object that is not known yet, no member is known to change.
  if (news === UNKNOWN) return false;
  const keys = first === "*" ? [...new Set([...keysIn(olds), ...keysIn(news)])] : [first];
  return keys.some((key) => differ(rest, memberOf(olds, key), memberOf(news, key)));
}

function keysIn(value: unknown): string[] {
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/**
 * Properties with another value at the path of these keys; undefined removes what is there. A member that is null is as
 * good as absent and stays.
 */
export function withValueAt(
  props: Props,
  [first = "", ...rest]: readonly string[],
  value: unknown,
): Props {
  const { [first]: member, ...others } = props;
  if (rest.length > 0) {
    if (value === undefined && !isRecord(member)) return props;
    return { ...others, [first]: withValueAt(recordOf(member), rest, value) };
  }
  if (value === undefined) return others;
  return {
    ...others,
    [first]: isRecord(value)
      ? { ...filterMembers(recordOf(member), (one) => one === null), ...value }
      : value,
  };
}

/** Inputs with the observed values at every path of `ignoreChanges`, where the engine holds the last known ones. */
export function withIgnored(inputs: Props, seen: Props, paths = optionsIn(inputs).ignoredPaths) {
  const observed = { ...inputs, ...seen };
  const replace = (result: Props, path: string) =>
    recordOf(replacedAt(result, observed, keysOf(path)));
  return paths.reduce(replace, inputs);
}

/** A value with another one's members at the path of these keys, where it may have members; else the other one. */
export function replacedAt(
  value: unknown,
  other: unknown,
  [first, ...rest]: readonly string[],
): unknown {
  if (first === undefined || (first === "*" && rest.length === 0)) return other;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = Array.isArray(other) ? other : [];
    const isReplaced = (at: number): boolean => at in list && [`${at}`, "*"].includes(first);
    return value.map((item: unknown, at) =>
      isReplaced(at) ? replacedAt(item, list[at], rest) : item,
    );
  }
  if (!isRecord(value ?? {})) return other;
  const others = recordOf(other);
  const keys = first === "*" ? Object.keys({ ...recordOf(value), ...others }) : [first];
  const all = keys.reduce<Props>((result, key) => {
    const { [key]: member, ...kept } = result;
    const changed = replacedAt(member, others[key], rest);
    return changed === undefined ? kept : { ...kept, [key]: changed };
  }, recordOf(value));
  return isRecord(value) || Object.keys(all).length > 0 ? all : value;
}
