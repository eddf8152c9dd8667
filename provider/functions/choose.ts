/** Nothing fits, or several things do. */
export class ChoiceError extends Error {
  override readonly name = "ChoiceError";
}

/** What the things are. */
interface Kind<Label> {
  /** For errors, for example `deployments`. */
  readonly plural: string;
  /** The member that people know them by. */
  readonly label: Label;
  readonly workspaceId: string;
}

/** The whole id or label that is wanted, at most one of them. */
interface Wanted {
  readonly id?: string | undefined;
  readonly label?: string | undefined;
}

type Thing<Label extends string> = Readonly<Record<"id" | Label, string>>;

/**
 * The one thing that is wanted; where nothing is said of it, the only one there is. When nothing or more than one fits,
 * it is a `ChoiceError` that names the nearest, or all of them.
 */
export async function chooseOne<Label extends string, Item extends Thing<Label>>(
  items: readonly Item[],
  { plural, label, workspaceId }: Kind<Label>,
  wanted: Wanted,
): Promise<Item> {
  const [by, value] = wanted.id === undefined ? [label, wanted.label] : ["id" as const, wanted.id];
  const fitting = items.filter((item) => value === undefined || item[by] === value);
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only;
  const describe = (item: Item): string => `'${item[label]}' (${item.id})`;
  const list = (some: readonly Item[]): string => some.map(describe).join(", ");
  const there = `workspace ${workspaceId} has`;
  if (items.length === 0) throw new ChoiceError(`${there} no ${plural}`);
  if (value === undefined)
    throw new ChoiceError(
      `${there} ${items.length} ${plural}: ${list(items)}; give the ${label} or the id of one`,
    );
  if (fitting.length > 1)
    throw new ChoiceError(
      `${there} ${fitting.length} ${plural} with this ${by}: ${list(fitting)}; give the id of one`,
    );
  const { closest } = await import("fastest-levenshtein");
  const nearest = closest(
    value,
    items.map((item) => item[by]),
  );
  const near = items.filter((item) => item[by] === nearest);
  throw new ChoiceError(`${there} no ${plural} with this ${by}; the nearest is ${list(near)}`);
}
