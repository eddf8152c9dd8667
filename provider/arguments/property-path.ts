import { type Props, sameValue, UNKNOWN } from "./props";

/** The keys of a property path as Pulumi writes it: `env.A`, `env["a.b"]`, `sourceConfig.*`. */
export function keysOf(path: string): string[] {
  return [...path.matchAll(/"([^"]*)"|[^.[\]"]+/g)].map(([key, quoted]) => quoted ?? key);
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
