interface Page<Item> {
  readonly resources: readonly Item[];
  readonly offset?: number | null | undefined;
}

/** Where a walk begins and how large its pages are. */
export interface PageOptions {
  /** Things in a page, 1 to 100 (contract, "Limits"). @default 100 */
  readonly limit?: number | undefined;
  /** How many things to leave out at the beginning. @default 0 */
  readonly offset?: number | undefined;
}

const LARGEST_PAGE = 100;

/**
 * Walks a list that is served in pages. Things that move while it walks are given once, by id; it ends at a page that
 * is not full or brings nothing new, whatever that page's `offset` says.
 */
export async function* walkPages<Item extends { readonly id: string }>(
  fetchPage: (page: { readonly limit: number; readonly offset: number }) => Promise<Page<Item>>,
  { limit = LARGEST_PAGE, offset: first = 0 }: PageOptions = {},
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  for (let offset = first; ;) {
    const page = await fetchPage({ limit, offset });
    const fresh = page.resources.filter(({ id }) => !seen.has(id));
    for (const item of fresh) {
      if (!seen.has(item.id)) yield item;
      seen.add(item.id);
    }
    if (page.resources.length < limit || fresh.length === 0) return;
    const next = page.offset ?? 0;
    offset = next > offset ? next : offset + page.resources.length;
  }
}
