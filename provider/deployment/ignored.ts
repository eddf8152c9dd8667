import { isRecord, recordOf } from "../../shared/records";
import type { Props } from "../inputs/props";

/**
 * The inputs with the values of `seen` at every path of the option `ignoreChanges`: the engine holds the last known
 * value there, and what somebody else has set since is not the program's to take back.
 */
export function withIgnoredChanges(inputs: Props, seen: Props): Props {
  const paths: readonly unknown[] = Array.isArray(inputs["__ignored"]) ? inputs["__ignored"] : [];
  return paths.reduce<Props>((taken, path) => takenFrom(seen, taken, keysOf(String(path))), inputs);
}

/** The keys of a property path as Pulumi writes it: `env.A`, `env["a.b"]`, `sourceConfig.*`. */
function keysOf(path: string): string[] {
  return [...path.matchAll(/"([^"]*)"|[^.[\]"]+/g)].map(([key, quoted]) => quoted ?? key);
}

function takenFrom(seen: Props, inputs: Props, [first, ...rest]: readonly string[]): Props {
  if (first === undefined) return inputs;
  const keys = first === "*" ? Object.keys({ ...inputs, ...seen }) : [first];
  return keys.reduce((taken, key) => {
    const [theirs, ours] = [seen[key], taken[key]];
    const value =
      rest.length > 0 && isRecord(ours) ? takenFrom(recordOf(theirs), ours, rest) : theirs;
    const { [key]: _, ...others } = taken;
    return value === undefined ? others : { ...others, [key]: value };
  }, inputs);
}
