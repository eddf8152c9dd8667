import type { CountThreads, SearchThreads } from "../../sdk/schema/thread";
import { CURRENT_VALUES } from "./checkpoints";
import { contains } from "./contains";

/** SQL on the table of threads. */
interface Query {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

/** The page that a search asks for; in the order of creation where the sort key is equal. `values` are read when selected. */
export function pageOf({
  limit,
  offset,
  sort_by,
  sort_order,
  select,
  ...filter
}: SearchThreads): Query {
  const { sql: condition, parameters } = conditionOf(filter);
  const columns = select?.includes("values") ? `*, ${CURRENT_VALUES} AS "values"` : "*";
  const order = `${sort_by} ${sort_order}, rowid ${sort_order}`;
  return {
    sql: `SELECT ${columns} FROM threads WHERE ${condition} ORDER BY ${order} LIMIT ? OFFSET ?`,
    parameters: [...parameters, limit, offset],
  };
}

/** How many threads match, in a column `count`. */
export function countOf(filter: CountThreads): Query {
  const { sql: condition, parameters } = conditionOf(filter);
  return { sql: `SELECT count(*) AS count FROM threads WHERE ${condition}`, parameters };
}

/** Everything given must match; an empty list of ids is taken as none given, as the JavaScript server has it. */
function conditionOf({ ids, status, metadata, values }: CountThreads): Query {
  const terms: [sql: string, parameter: string][] = [];
  if (ids !== undefined && ids.length > 0)
    terms.push(["thread_id IN (SELECT value FROM json_each(?))", JSON.stringify(ids)]);
  if (status !== undefined) terms.push(["status = ?", status]);
  if (metadata !== undefined) terms.push([contains("metadata"), JSON.stringify(metadata)]);
  if (values !== undefined) terms.push([contains(CURRENT_VALUES), JSON.stringify(values)]);
  return {
    sql: ["TRUE", ...terms.map(([sql]) => sql)].join(" AND "),
    parameters: terms.map(([, parameter]) => parameter),
  };
}
