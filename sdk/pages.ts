import type { Call, CallName, Transport } from "./transport";

/** One page of a list. */
interface Page<Item> {
  readonly resources: readonly Item[];
  readonly offset?: number | null | undefined;
}

/** The offset and the size of a page. */
export interface PageOptions {
  /** Items per page, 1 to 100 (contract, "Limits"). @default 100 */
  readonly limit?: number | undefined;
  /** Number of items to skip. @default 0 */
  readonly offset?: number | undefined;
}

/** What a request of a page says. */
interface Bounds {
  readonly limit: number;
  readonly offset: number;
}

/** A list that a server returns in pages. */
interface PaginatedList<Item> {
  readonly fetchPage: (page: Bounds) => Promise<Page<Item>>;
  readonly idOf: (item: Item) => string;
  /** The error about a list without an end. */
  readonly endless: (reason: string) => Error;
}

const LARGEST_PAGE = 100;

/** More pages than any list has: a server that returns more does not end. */
export const MOST_PAGES = 1_000;
export const TOO_MANY_PAGES = `the server returned ${MOST_PAGES} pages, and more follow`;

/**
 * Iterates over a paginated list. An item that moves to another page meanwhile is yielded once, by its id. Pages overlap
 * by one item: where a page begins with another, items have gone before it and moved others to pages that have been read,
 * so the walk steps back. Pages of one item cannot overlap. The list ends at a page that is not full, whatever that page's
 * `offset` is. A full page without a new item is an error, as is a list of more than 1,000 pages: other items may be
 * missing.
 */
export async function* walkPages<Item>(
  { fetchPage, idOf, endless }: PaginatedList<Item>,
  { limit = LARGEST_PAGE, offset: first = 0 }: PageOptions = {},
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  const overlap = limit > 1 ? 1 : 0;
  let offset = first;
  // A server that ignores the limit does not paginate: its list happens to have the length of a page.
  const isWhole = async (): Promise<boolean> =>
    limit > 1 && (await fetchPage({ limit: limit - 1, offset: first })).resources.length === limit;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await fetchPage({ limit, offset });
    const [begin] = page.resources;
    const isKnown = begin !== undefined && seen.has(idOf(begin));
    if (overlap > 0 && offset > first && !isKnown) {
      // By half a page, so that the next one reaches beyond what is known even if what has gone comes back meanwhile.
      offset = Math.max(first, offset - Math.ceil(limit / 2));
      continue;
    }
    const known = seen.size;
    for (const item of page.resources) {
      if (seen.has(idOf(item))) continue;
      seen.add(idOf(item));
      yield item;
    }
    // A server that does not paginate returns more than a page.
    if (page.resources.length !== limit) return;
    if (seen.size === known) {
      if (pages === 1 && seen.size === limit && (await isWhole())) return;
      throw endless(`from offset ${offset} the server returned only items of earlier pages`);
    }
    const next = page.offset ?? 0;
    offset = (next > offset ? next : offset + page.resources.length) - overlap;
  }
  throw endless(TOO_MANY_PAGES);
}

/** Iterates over a list of which `call` requests a page. Throws a `RequestError`. */
export function list<Item extends { readonly id: string }>(
  transport: Transport,
  call: Call<Page<Item>>,
  options?: PageOptions,
): AsyncIterable<Item> {
  return walkPages(
    {
      fetchPage: (page) => transport.request({ ...call, query: { ...call.query, ...page } }),
      idOf: ({ id }) => id,
      endless: (reason) => endlessListError(transport, call, reason),
    },
    options,
  );
}

/** Iterates over a search, of which `fetchPage` requests a page and `call` is the name. */
export function walkSearch<Item>(
  transport: Transport,
  call: CallName,
  { fetchPage, idOf, ...options }: Search<Item>,
): AsyncIterable<Item> {
  return walkPages(
    {
      fetchPage: async (page) => ({ resources: await fetchPage(page) }),
      idOf,
      endless: (reason) => endlessListError(transport, call, reason),
    },
    options,
  );
}

interface Search<Item> extends PageOptions, Pick<PaginatedList<Item>, "idOf"> {
  readonly fetchPage: (page: Bounds) => Promise<readonly Item[]>;
}

/** The error about a list whose server returns pages without an end. */
export function endlessListError(transport: Transport, call: CallName, reason: string): Error {
  return transport.invalidResponse(
    call,
    `the list has no end: ${reason}; this is an error of the server, ask its operator`,
  );
}
