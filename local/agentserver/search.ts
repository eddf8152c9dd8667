import { z } from "zod";
import type { CountThreads, SearchThreads } from "../../sdk/schema/thread";
import { CURRENT_VALUES } from "./checkpoints";
import { contains } from "./contains";
import type { Database } from "../sqlite/database";
import { MANY_THREADS, RAREST_MEMBER } from "./members";

/** SQL on the table of threads. */
interface Query {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

/** A member of the metadata that is looked for, and how many threads have it: at most `MANY_THREADS`. */
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

  /** None where the metadata looked for has no member of that kind, or where ids say which few threads to look at. */
  #rarestMember({ ids, metadata }: CountThreads): Member | undefined {
    if (metadata === undefined || (ids !== undefined && ids.length > 0)) return undefined;
    return this.#database.get(Member, RAREST_MEMBER, JSON.stringify(metadata));
  }
}

/**
 * The page that a search asks for; in the order of creation where the sort key is equal. The table of members has that
 * order for each member, so no more than the page is read of those who have it. In another order they are all read when
 * they are few; a page of many is found soon along that order.
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
 * The threads that match everything given, found by a member when one is; an empty list of ids is taken as none given, as
 * the JavaScript server has it.
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
