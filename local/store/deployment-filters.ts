/** Filters of a list of deployments, all of which must match (contract, "GET /v2/deployments"). */
export interface DeploymentFilters {
  /** A part of the name; case-insensitive. */
  readonly nameContains?: string | undefined;
  readonly status?: string | undefined;
  /** Whether it has a listener. */
  readonly remoteReconciled?: boolean | undefined;
  /** At least one of these. */
  readonly tagValueIds?: readonly string[] | undefined;
  readonly imageVersion?: string | undefined;
  readonly deploymentType?: string | undefined;
  readonly deploymentIds?: readonly string[] | undefined;
  /** The listener that places it. */
  readonly listenerId?: string | undefined;
}

/** A condition on the deployment `d`, with the values of its placeholders. */
export type Condition = readonly [sql: string, ...values: string[]];

/** The filters that are set, in SQL. */
export function conditionsOf(filters: DeploymentFilters): Condition[] {
  const { nameContains, status, imageVersion, deploymentType, remoteReconciled } = filters;
  const { deploymentIds, tagValueIds, listenerId } = filters;
  return [
    ...given("instr(lower(d.name), ?) > 0", nameContains?.toLowerCase()),
    ...given("d.status = ?", status),
    ...given(
      "(SELECT image_version FROM revisions WHERE id = d.latest_revision_id) = ?",
      imageVersion,
    ),
    ...given("d.source_config ->> 'deployment_type' = ?", deploymentType),
    ...given("(d.source_config ->> 'listener_id' IS NOT NULL) = (? = 'true')", remoteReconciled),
    ...given("d.source_config ->> 'listener_id' = ?", listenerId),
    ...given("d.id IN (SELECT value FROM json_each(lower(?)))", deploymentIds),
    ...given(
      `d.id IN (SELECT deployment_id FROM tags WHERE tag_value_id IN (SELECT value FROM json_each(?)))`,
      tagValueIds,
    ),
  ];
}

function given(sql: string, value: string | boolean | readonly string[] | undefined): Condition[] {
  if (value === undefined) return [];
  return [[sql, typeof value === "string" ? value : JSON.stringify(value)]];
}
