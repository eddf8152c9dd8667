import { keysOf, takenAt } from "../../arguments/property-path";
import { deploymentArguments } from "./argument-table";
import type { Declared, Values } from "./declared";

/**
 * The declared values with the observed ones at every path of the option `ignoreChanges`: the engine holds the last known
 * value there, and the program does not overwrite values that other clients have set since.
 */
export function withIgnoredChanges(declared: Declared, observed: Values): Values {
  const ignored = declared.ignoredPaths.map(keysOf);
  const values = deploymentArguments.paths.map((path) => [
    path,
    ignored.reduce<unknown>(
      (own, keys) => withIgnored(path.split("."), keys, own, observed[path]),
      declared[path],
    ),
  ]);
  return { ...declared, ...Object.fromEntries(values) };
}

/** The value of an argument where the ignored path holds it, or the members of it that the path names. */
function withIgnored(
  path: readonly string[],
  ignored: readonly string[],
  own: unknown,
  theirs: unknown,
): unknown {
  const isOnPath = path.every((key, at) => [key, "*", undefined].includes(ignored[at]));
  return isOnPath ? takenAt(own, theirs, ignored.slice(path.length)) : own;
}
