interface Page<Item> {
  readonly resources: readonly Item[];
  readonly offset?: number | null | undefined;
}

/** Where to begin and how large a page is. */
export interface PageOptions {
  /** Items per page, 1 to 100 (contract, "Limits"). @default 100 */
  readonly limit?: number | undefined;
  /** How many items to skip. @default 0 */
  readonly offset?: number | undefined;
}

const LARGEST_PAGE = 100;

/**
 * Iterates over a paginated list. An item that moves to another page meanwhile is yielded once, by its id. The list ends
 * at a page that is not full or has no new item, whatever that page's `offset` is.
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
