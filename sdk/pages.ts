interface Page<Item> {
  readonly resources: readonly Item[];
  readonly offset?: number | null | undefined;
}

/** The most that one request of a list may ask for (contract, "Limits"). */
export const PAGE_LIMIT = 100;

/**
 * Walks a list that is served in pages. Things that move while it walks are given once, by id; it ends at a page that
 * is not full or brings nothing new, whatever that page's `offset` says.
 */
export async function* walkPages<Item extends { readonly id: string }>(
  fetchPage: (offset: number) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  for (let offset = 0; ;) {
    const page = await fetchPage(offset);
    const fresh = page.resources.filter(({ id }) => !seen.has(id));
    for (const item of fresh) {
      if (!seen.has(item.id)) yield item;
      seen.add(item.id);
    }
    if (page.resources.length < PAGE_LIMIT || fresh.length === 0) return;
    const next = page.offset ?? 0;
    offset = next > offset ? next : offset + page.resources.length;
  }
}
