import { z } from "zod";
import type { CountThreads, SearchThreads } from "../../sdk/schema/thread";
import { CURRENT_VALUES } from "./checkpoints";
import { contains } from "./contains";
import { MANY_THREADS } from "./members";

/** A query of threads. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

/** A SQL condition with one parameter. */
type Term = readonly [sql: string, parameter: string];

/** The threads that a search reads, in its order. */
export interface Scan {
  readonly from: string;
  /** Selects them by an index. */
  readonly guide: readonly Term[];
  /** Conditions on each of them. */
  readonly terms: readonly Term[];
  /** The two columns of the order, of which the second is unique. */
  readonly keys: readonly [string, string];
  readonly direction: "asc" | "desc";
}

/** A member of the requested metadata, and how many threads have it, up to `MANY_THREADS`. */
export const Member = z.object({ member: z.string(), threads: z.int() });
export type Member = z.infer<typeof Member>;
/** A thread of a scan: its keys, and whether it matches. */
export const Candidate = z.object({ id: z.int(), key: z.string(), matches: z.int() });
export type Candidate = z.infer<typeof Candidate>;

/**
 * The threads that a search reads; equal sort keys are ordered by creation. The table of members has that order for each
 * member, so only the page is read. In another order, all threads with the member are read if they are few; of many, a
 * page is found soon in that order.
 */
export function scanOf(
  { sort_by, sort_order, ...filter }: CountThreads & Pick<SearchThreads, "sort_by" | "sort_order">,
  member?: Member,
): Scan {
  const byCreation = sort_by === "created_at";
  const guide = byCreation || (member && member.threads < MANY_THREADS) ? member : undefined;
  return {
    // A cross join is done in the order written.
    from: guide ? "metadata_members CROSS JOIN threads ON threads.rowid = thread" : "threads",
    guide: guide ? [["member = ?", guide.member]] : [],
    terms: termsOf(filter),
    keys:
      guide && byCreation
        ? ["metadata_members.created_at", "thread"]
        : [`threads.${sort_by}`, "threads.rowid"],
    direction: sort_order,
  };
}

function termsOf({ ids = [], status, metadata, values }: CountThreads): Term[] {
  const terms: Term[] = [];
  if (ids.length > 0)
    terms.push(["thread_id IN (SELECT value FROM json_each(?))", JSON.stringify(ids)]);
  if (status !== undefined) terms.push(["status = ?", status]);
  if (metadata !== undefined) terms.push([contains("metadata"), JSON.stringify(metadata)]);
  if (values !== undefined) terms.push([contains(CURRENT_VALUES), JSON.stringify(values)]);
  return terms;
}

/** The query of a search's page. */
export function pageOf(search: SearchThreads, member?: Member): Query {
  const scan = scanOf(search, member);
  const { sql, parameters } = selectOf(columnsOf(search), scan);
  return {
    sql: `${sql} ORDER BY ${orderOf(scan)} LIMIT ? OFFSET ?`,
    parameters: [...parameters, search.limit, search.offset],
  };
}

export function countOf(scan: Scan): Query {
  return selectOf("count(*) AS count", scan);
}

function selectOf(columns: string, { from, guide, terms }: Scan): Query {
  const all = [...guide, ...terms];
  return {
    sql: `SELECT ${columns} FROM ${from} WHERE ${conjunction(all)}`,
    parameters: parametersOf(all),
  };
}

/** The query of the next threads of a scan, each with whether it matches. */
export function sliceOf(scan: Scan, limit: number, after: Candidate | undefined): Query {
  const { from, guide, terms, keys, direction } = scan;
  const isAfter = `(${keys.join(", ")}) ${direction === "asc" ? ">" : "<"} (?, ?)`;
  return {
    sql: `SELECT ${keys[1]} AS id, ${keys[0]} AS "key", (${conjunction(terms)}) AS matches FROM ${from}
      WHERE ${conjunction(guide)} ${after ? `AND ${isAfter}` : ""} ORDER BY ${orderOf(scan)} LIMIT ?`,
    parameters: [
      ...parametersOf([...terms, ...guide]),
      ...(after ? [after.key, after.id] : []),
      limit,
    ],
  };
}

/** The query of the threads with these rowids, in this order. */
export function rowsOf(ids: readonly number[], search: SearchThreads): Query {
  const from = "json_each(?) AS found CROSS JOIN threads ON threads.rowid = found.value";
  return {
    sql: `SELECT ${columnsOf(search)} FROM ${from} ORDER BY found."key"`,
    parameters: [JSON.stringify(ids)],
  };
}

function columnsOf({ select }: SearchThreads): string {
  return select?.includes("values") ? `threads.*, ${CURRENT_VALUES} AS "values"` : "threads.*";
}

function orderOf({ keys, direction }: Scan): string {
  return keys.map((key) => `${key} ${direction}`).join(", ");
}

function conjunction(terms: readonly Term[]): string {
  return ["TRUE", ...terms.map(([sql]) => sql)].join(" AND ");
}

function parametersOf(terms: readonly Term[]): string[] {
  return terms.map(([, parameter]) => parameter);
}
