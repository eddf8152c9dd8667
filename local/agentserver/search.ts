import type { CountThreads } from "../../sdk/schema/thread";
import { CURRENT_VALUES } from "./checkpoints";
import { contains } from "./contains";

/** Which threads a search is about, as the condition of an SQL query on `threads` and its parameters. */
export interface Condition {
  readonly where: string;
  readonly parameters: readonly string[];
}

/** Everything given must match; an empty list of ids is taken as none given, as the JavaScript server has it. */
export function conditionOf({ ids, status, metadata, values }: CountThreads): Condition {
  const terms: [sql: string, parameter: string][] = [];
  if (ids !== undefined && ids.length > 0)
    terms.push(["thread_id IN (SELECT value FROM json_each(?))", JSON.stringify(ids)]);
  if (status !== undefined) terms.push(["status = ?", status]);
  if (metadata !== undefined) terms.push([contains("metadata"), JSON.stringify(metadata)]);
  if (values !== undefined) terms.push([contains(CURRENT_VALUES), JSON.stringify(values)]);
  return {
    where: ["TRUE", ...terms.map(([sql]) => sql)].join(" AND "),
    parameters: terms.map(([, parameter]) => parameter),
  };
}
