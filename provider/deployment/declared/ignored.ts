import { isRecord, recordOf } from "../../../shared/records";
import { keysOf } from "../../arguments/property-path";
import type { Props } from "../../arguments/props";
import { type Declared, declaredBy } from "./declared";

/**
 * The declared state with the observed values at every path of the option `ignoreChanges`: the engine holds the last known
 * value there, and what somebody else has set since is not the program's to take back.
 */
export function withIgnoredChanges(
  { inputs, ignoredPaths }: Declared,
  observed: Declared,
): Declared {
  return declaredBy(
    ignoredPaths.reduce<Props>(
      (taken, path) => takenFrom(observed.inputs, taken, keysOf(path)),
      inputs,
    ),
  );
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
