import { z } from "zod";
import type { CountThreads, SearchThreads } from "../../sdk/schema/thread";
import { CURRENT_VALUES } from "./checkpoints";
import { contains } from "./contains";
import type { Database } from "../sqlite/database";
import { MANY_THREADS, RAREST_MEMBER } from "./members";

/** A query of threads. */
interface Query {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

/** A member of the requested metadata, and how many threads have it, up to `MANY_THREADS`. */
const Member = z.object({ member: z.string(), threads: z.int() });
type Member = z.infer<typeof Member>;
const Count = z.object({ count: z.int() });

/** Finds threads in a database. */
export class Search {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The rows of the requested page, with `values` if these are selected. */
  page<Row>(row: z.ZodType<Row>, search: SearchThreads): Row[] {
    const { sql, parameters } = pageOf(search, this.#rarestMember(search));
    return this.#database.all(row, sql, ...parameters);
  }

  /** How many threads match. */
  count(filter: CountThreads): number {
    const { sql, parameters } = countOf(filter, this.#rarestMember(filter));
    return this.#database.get(Count, sql, ...parameters)?.count ?? 0;
  }

  /** Undefined if the requested metadata has no scalar member, or if `ids` already select the threads. */
  #rarestMember({ ids, metadata }: CountThreads): Member | undefined {
    if (metadata === undefined || (ids !== undefined && ids.length > 0)) return undefined;
    return this.#database.get(Member, RAREST_MEMBER, JSON.stringify(metadata));
  }
}

/**
 * The query of a search's page; equal sort keys are ordered by creation. The table of members has that order for each
 * member, so only the page is read. In another order, all threads with the member are read if they are few; of many, a
 * page is found soon in that order.
 */
export function pageOf(
  { limit, offset, sort_by, sort_order, select, ...filter }: SearchThreads,
  member?: Member,
): Query {
  const byCreation = sort_by === "created_at";
  const guide = byCreation || (member && member.threads < MANY_THREADS) ? member : undefined;
  const { from, condition, parameters } = matching(filter, guide);
  const columns = select?.includes("values")
    ? `threads.*, ${CURRENT_VALUES} AS "values"`
    : "threads.*";
  const keys =
    guide && byCreation
      ? ["metadata_members.created_at", "thread"]
      : [`threads.${sort_by}`, "threads.rowid"];
  const order = keys.map((key) => `${key} ${sort_order}`).join(", ");
  return {
    sql: `SELECT ${columns} FROM ${from} WHERE ${condition} ORDER BY ${order} LIMIT ? OFFSET ?`,
    parameters: [...parameters, limit, offset],
  };
}

function countOf(filter: CountThreads, member?: Member): Query {
  const { from, condition, parameters } = matching(filter, member);
  return { sql: `SELECT count(*) AS count FROM ${from} WHERE ${condition}`, parameters };
}

/**
 * The conditions of a filter, led by the index of a member if there is one. An empty list of ids is ignored, as the
 * JavaScript server does.
 */
function matching({ ids, status, metadata, values }: CountThreads, member?: Member) {
  const terms: [sql: string, parameter: string][] = [];
  if (member !== undefined) terms.push(["member = ?", member.member]);
  if (ids !== undefined && ids.length > 0)
    terms.push(["thread_id IN (SELECT value FROM json_each(?))", JSON.stringify(ids)]);
  if (status !== undefined) terms.push(["status = ?", status]);
  if (metadata !== undefined) terms.push([contains("metadata"), JSON.stringify(metadata)]);
  if (values !== undefined) terms.push([contains(CURRENT_VALUES), JSON.stringify(values)]);
  return {
    // A cross join is done in the order written.
    from: member ? "metadata_members CROSS JOIN threads ON threads.rowid = thread" : "threads",
    condition: ["TRUE", ...terms.map(([sql]) => sql)].join(" AND "),
    parameters: terms.map(([, parameter]) => parameter),
  };
}
