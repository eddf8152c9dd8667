import type { Changes } from "../arguments/changes";
import type { Difference } from "./define-lifecycle";

/** The order of a replacement, as messages say it. */
interface Orders {
  readonly createdFirst: string;
  readonly deletedFirst: string;
}

/**
 * The difference of a thing of which there is one for each value of an argument, its key: a replacement with another key is
 * created first. `message` explains what changes in place.
 */
export function differenceOf(
  { replaces, mayReplace, changed }: Changes,
  key: string,
  { createdFirst, deletedFirst }: Orders,
  message?: string,
): Difference {
  if (replaces.length > 0) {
    const deleteBeforeReplace = !replaces.includes(key);
    const order = deleteBeforeReplace ? deletedFirst : createdFirst;
    return {
      result: { replaces, deleteBeforeReplace },
      message: `replaced, since ${replaces.join(", ")} can't be changed: ${order}`,
      loss: order,
    };
  }
  const mayBe = `may be replaced, depending on a value known only during the update (${mayReplace.join(", ")})`;
  const lines = [mayReplace.length > 0 ? mayBe : undefined, message].filter(
    (line) => line !== undefined,
  );
  return {
    result: changed.length === 0 ? { changes: false } : {},
    message: lines.length === 0 ? undefined : lines.join("; "),
  };
}
