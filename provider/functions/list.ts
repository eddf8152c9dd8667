import type { Rule } from "../arguments/problems";

/** No item matches, or more than one does. */
export class LookupError extends Error {
  override readonly name = "LookupError";
}

/** Names of a list's items, for messages. */
interface Kind<Label> {
  /** For errors, for example `deployments`. */
  readonly plural: string;
  /** The member that people know an item by. */
  readonly label: Label;
  readonly workspaceId: string;
  /** What to do where none has the label. @default nothing */
  readonly advice?: string;
}

/** The whole id or label to find, at most one of them. */
type Wanted = Partial<Record<"id" | "label", string | undefined>>;
type Labelled<Label extends string> = Readonly<Record<"id" | Label, string>>;

/** The items of a paginated list, at most `limit` of them. */
export async function collect<Item>(
  items: AsyncIterable<Item>,
  limit = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) {
    collected.push(item);
    if (collected.length >= limit) break;
  }
  return collected;
}

/** The rule for the arguments of `findOne`: an id or a label, not both. */
export function notBoth(label: string): Rule {
  return {
    of: ["id", label],
    property: "",
    reason: `specify id or ${label}, not both`,
    isBroken: (args) => "id" in args && label in args,
  };
}

/**
 * The one item with an id or a label; without either, the only item of the list. Where none or more than one matches, the
 * `LookupError` lists one of a similar name, or all of them.
 */
export async function findOne<Label extends string, Item extends Labelled<Label>>(
  items: readonly Item[],
  { plural, label, workspaceId, advice = "" }: Kind<Label>,
  wanted: Wanted,
): Promise<Item> {
  const [by, value] = wanted.id === undefined ? [label, wanted.label] : ["id" as const, wanted.id];
  const matches = items.filter((item) => value === undefined || item[by] === value);
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  const list = (some: readonly Item[]): string =>
    some.map((item) => `'${item[label]}' (${item.id})`).join(", ");
  const workspace = `workspace ${workspaceId} has`;
  if (items.length === 0) throw new LookupError(`${workspace} no ${plural}`);
  if (value === undefined)
    throw new LookupError(
      `${workspace} ${items.length} ${plural}: ${list(items)}; specify the ${label} or the id of one`,
    );
  if (matches.length > 1)
    throw new LookupError(
      `${workspace} ${matches.length} ${plural} with this ${by}: ${list(matches)}; specify the id of one`,
    );
  const { nearest } = await import("../../shared/nearest.js");
  const known = items.map((item) => item[by]);
  const near = items.filter((item) => item[by] === nearest(value, known));
  const hint = near.length > 0 ? `; the nearest is ${list(near)}` : "";
  const otherwise = advice && `; ${advice}`;
  throw new LookupError(`${workspace} no ${plural} with this ${by}${hint}${otherwise}`);
}
