/** The things of a list that serves itself in pages, at most so many of them. */
export async function collect<Item>(
  items: AsyncIterable<Item>,
  most = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) {
    collected.push(item);
    if (collected.length >= most) break;
  }
  return collected;
}
