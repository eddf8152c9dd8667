import { isOnPath, keysOf, takenAt } from "../../arguments/property-path";
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
      (own, keys) =>
        isOnPath(path, keys)
          ? takenAt(own, observed[path], keys.slice(path.split(".").length))
          : own,
      declared[path],
    ),
  ]);
  return { ...declared, ...Object.fromEntries(values) };
}
