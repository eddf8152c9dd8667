import type { Difference } from "../host/define-lifecycle";
import { type Props, sameValue } from "../inputs/props";
import { changedImmutable, INPUT_NAMES, perhapsChanged } from "./fields";

/** Compares the outputs in the state with the checked inputs: only the metadata and the key change in place. */
export function difference(olds: Props, news: Props): Difference {
  const replaces = changedImmutable(olds, news);
  if (replaces.length > 0)
    return {
      result: { replaces, deleteBeforeReplace: true },
      message: `replaced, since ${replaces.join(", ")} can't be changed: ${LOSS}`,
    };
  const same = INPUT_NAMES.every((name) => sameValue(olds[name], news[name]));
  const unknown = perhapsChanged(olds, news);
  const message =
    unknown.length > 0
      ? `replaced if a value that is not known yet is another one then (${unknown.join(", ")}): ${LOSS}`
      : undefined;
  return { result: same ? { changes: false } : {}, message };
}

const LOSS = "deleted first, what was said in it goes with it";
