import type { ExtendedDeploymentFilters } from "../../sdk/schema/deployment-filters";
import { recordOf } from "../../shared/records";

/** The filters of a list of deployments, all of which must match. */
export interface StoreFilters extends ExtendedDeploymentFilters {
  /** The listener that places it. */
  readonly listener_id?: string | undefined;
}

/** A condition on the deployment `d`, with the values of its placeholders. */
export type Condition = readonly [sql: string, ...values: string[]];

/** The condition of each filter. Its value is a string, or JSON. */
const CONDITIONS: Readonly<Record<keyof StoreFilters, string>> = {
  name: "d.name = ?",
  name_contains: "instr(lower(d.name), lower(?)) > 0",
  status: "d.status = ?",
  image_version: "(SELECT image_version FROM revisions WHERE id = d.latest_revision_id) = ?",
  deployment_type: "d.source_config ->> 'deployment_type' = ?",
  remote_reconciled: "(d.source_config ->> 'listener_id' IS NOT NULL) = (? = 'true')",
  listener_id: "d.source_config ->> 'listener_id' = ?",
  deployment_ids: "d.id IN (SELECT value FROM json_each(lower(?)))",
  tag_value_ids:
    "d.id IN (SELECT deployment_id FROM tags WHERE tag_value_id IN (SELECT value FROM json_each(?)))",
};

/** The filters that are set, in SQL. */
export function conditionsOf(filters: StoreFilters): Condition[] {
  const values = recordOf(filters);
  return Object.entries(CONDITIONS).flatMap(([name, sql]): Condition[] => {
    const value = values[name];
    if (value === undefined) return [];
    return [[sql, typeof value === "string" ? value : JSON.stringify(value)]];
  });
}
