import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import type { CountThreads, SearchThreads } from "../../sdk/schema/thread";
import type { Database } from "../sqlite/database";
import { json } from "../sqlite/json";
import { CURRENT_VALUES } from "./checkpoints";
import { contains } from "./contains";

/**
 * Number of threads that are compared with JSON before other requests are handled. A comparison takes 10 µs, one with a long
 * conversation a millisecond.
 */
const PORTION = 32;

const Ids = z.object({ ids: json(z.array(z.int())) });

/** The threads with the rowids in a list; a cross join is done in the order written. */
const LISTED = "json_each(?) AS listed CROSS JOIN threads ON threads.rowid = listed.value";

/** A SQL condition with one parameter. */
type Condition = readonly [sql: string, parameter: string];

/** Finds threads in a database. */
export class Search {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The rows of the requested page, with `values` if these are selected. */
  async page<Row>(row: z.ZodType<Row>, search: SearchThreads): Promise<Row[]> {
    const { offset, limit, select } = search;
    const ids = await this.#find(search, orderOf(search), offset + limit);
    const values = select?.includes("values") ? `, ${CURRENT_VALUES} AS "values"` : "";
    const sql = `SELECT threads.*${values} FROM ${LISTED} ORDER BY listed."key"`;
    return this.#database.all(row, sql, JSON.stringify(ids.slice(offset)));
  }

  /** Counts the threads that match. */
  async count(filter: CountThreads): Promise<number> {
    return (await this.#find(filter, "rowid", Number.MAX_SAFE_INTEGER)).length;
  }

  /**
   * The rowids of the first `most` threads that match. Those of all are listed at once; the threads are compared with JSON
   * in portions, between which other requests are handled.
   */
  async #find(filter: CountThreads, order: string, most: number): Promise<number[]> {
    const indexed = indexedOf(filter);
    const compared = comparedOf(filter);
    const ids = this.#ids(
      `SELECT rowid AS id FROM threads WHERE ${allOf(indexed)} ORDER BY ${order} LIMIT ?`,
      ...parametersOf(indexed),
      compared.length > 0 ? Number.MAX_SAFE_INTEGER : most,
    );
    if (compared.length === 0) return ids;
    const found: number[] = [];
    for (let start = 0; start < ids.length && found.length < most; start += PORTION) {
      if (start > 0) await nextTurn();
      const matching = this.#ids(
        `SELECT threads.rowid AS id FROM ${LISTED} WHERE ${allOf(compared)} ORDER BY listed."key"`,
        JSON.stringify(ids.slice(start, start + PORTION)),
        ...parametersOf(compared),
      );
      found.push(...matching);
    }
    return found.slice(0, most);
  }

  /** The column `id` of a query. As one row of JSON, 100,000 take a tenth of the time of as many rows. */
  #ids(sql: string, ...parameters: (string | number)[]): number[] {
    const query = `SELECT json_group_array(id) AS ids FROM (${sql})`;
    return this.#database.get(Ids, query, ...parameters)?.ids ?? [];
  }
}

/** Equal sort keys are ordered by creation. */
function orderOf({ sort_by, sort_order }: SearchThreads): string {
  return `${sort_by} ${sort_order}, rowid ${sort_order}`;
}

/** The conditions that need no JSON. An empty list of ids is ignored, as the JavaScript server does. */
function indexedOf({ ids = [], status }: CountThreads): Condition[] {
  const conditions: Condition[] = [];
  if (ids.length > 0)
    conditions.push(["thread_id IN (SELECT value FROM json_each(?))", JSON.stringify(ids)]);
  if (status !== undefined) conditions.push(["status = ?", status]);
  return conditions;
}

/** The conditions that compare JSON. */
function comparedOf({ metadata, values }: CountThreads): Condition[] {
  const conditions: Condition[] = [];
  if (metadata !== undefined) conditions.push([contains("metadata"), JSON.stringify(metadata)]);
  if (values !== undefined) conditions.push([contains(CURRENT_VALUES), JSON.stringify(values)]);
  return conditions;
}

function allOf(conditions: readonly Condition[]): string {
  return ["TRUE", ...conditions.map(([sql]) => sql)].join(" AND ");
}

function parametersOf(conditions: readonly Condition[]): string[] {
  return conditions.map(([, parameter]) => parameter);
}
