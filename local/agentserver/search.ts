import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import type { CountThreads, SearchThreads } from "../../sdk/schema/thread";
import type { Database } from "../sqlite/database";
import { MANY_THREADS, RAREST_MEMBER } from "./members";
import {
  Candidate,
  countOf,
  Member,
  pageOf,
  rowsOf,
  scanOf,
  sliceOf,
  type Query,
  type Scan,
} from "./search-queries";

const Count = z.object({ count: z.int() });

/** A comparison with JSON takes about 10 µs. */
const SLICE = 256;

/** Finds threads in a database. */
export class Search {
  readonly #database: Database;
  readonly #slice: number;

  /** `slice` is how many threads at most are compared with JSON before other requests are handled. */
  constructor(database: Database, slice = SLICE) {
    this.#database = database;
    this.#slice = slice;
  }

  /** The rows of the requested page, with `values` if these are selected. */
  async page<Row>(row: z.ZodType<Row>, search: SearchThreads): Promise<Row[]> {
    const member = this.#rarestMember(search);
    if (!isSlow(search, member)) return this.#all(row, pageOf(search, member));
    const { offset, limit } = search;
    const ids: number[] = [];
    for await (const found of this.#matches(scanOf(search, member), offset + limit + 1)) {
      ids.push(...found);
      if (ids.length >= offset + limit) break;
    }
    return this.#all(row, rowsOf(ids.slice(offset, offset + limit), search));
  }

  /** How many threads match. */
  async count(filter: CountThreads): Promise<number> {
    const member = this.#rarestMember(filter);
    const scan = scanOf({ ...filter, sort_by: "created_at", sort_order: "asc" }, member);
    if (!isSlow(filter, member)) return this.#all(Count, countOf(scan))[0]?.count ?? 0;
    let count = 0;
    for await (const found of this.#matches(scan, this.#slice)) count += found.length;
    return count;
  }

  /**
   * The rowids of the threads that match, in order. They are read in slices, the first of `size` threads; between two
   * slices other requests are handled. A thread that one of these moves within the order may be missed or found twice.
   */
  async *#matches(scan: Scan, size: number): AsyncGenerator<number[], void, undefined> {
    let last: Candidate | undefined;
    for (let limit = size; ; limit *= 2) {
      limit = Math.min(limit, this.#slice);
      const candidates = this.#all(Candidate, sliceOf(scan, limit, last));
      yield candidates.filter(({ matches }) => matches === 1).map(({ id }) => id);
      if (candidates.length < limit) return;
      last = candidates.at(-1);
      await nextTurn();
    }
  }

  /** Undefined if the requested metadata has no scalar member, or if `ids` already select the threads. */
  #rarestMember(filter: CountThreads): Member | undefined {
    if (filter.metadata === undefined || hasIds(filter)) return undefined;
    return this.#database.get(Member, RAREST_MEMBER, JSON.stringify(filter.metadata));
  }

  #all<Row>(row: z.ZodType<Row>, { sql, parameters }: Query): Row[] {
    return this.#database.all(row, sql, ...parameters);
  }
}

/** Whether many threads may have to be compared with JSON, which takes a second for 100,000. */
function isSlow(filter: CountThreads, member: Member | undefined): boolean {
  if (hasIds(filter) || (member && member.threads < MANY_THREADS)) return false;
  return filter.metadata !== undefined || filter.values !== undefined;
}

/** An empty list of ids is ignored, as the JavaScript server does. */
function hasIds({ ids }: CountThreads): boolean {
  return ids !== undefined && ids.length > 0;
}
