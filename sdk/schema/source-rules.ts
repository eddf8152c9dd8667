import type { Source } from "./deployment";

/** The fields that are not for every source (contract, "SourceConfig", "SourceRevisionConfig"). */
const SOURCES = {
  secret_references: ["external_container"],
  "source_config.integration_id": ["git_host"],
  "source_config.repo_url": ["git_host"],
  // The contract says git_host only; an internal_container is created with it (public service, "Create").
  "source_config.deployment_type": ["git_host", "internal_container"],
  "source_config.build_on_push": ["git_host"],
  "source_config.custom_url": ["external_container"],
  "source_config.resource_spec": ["external_container"],
  "source_config.listener_id": ["external_container"],
  "source_config.listener_config": ["external_container"],
  "source_revision_config.repo_ref": ["git_host"],
  "source_revision_config.graph_config_path": ["git_host"],
  "source_revision_config.image_uri": ["external_container", "internal_container"],
} as const satisfies Record<string, readonly Source[]>;
export const SOURCES_OF_FIELD: Readonly<Record<keyof typeof SOURCES, readonly Source[]>> = SOURCES;

/** The fields that a source can't do without (contract; public service, "Create"). */
export const REQUIRED_FIELDS: Readonly<Record<Source, readonly string[]>> = {
  git_host: [
    "source_config.integration_id",
    "source_config.repo_url",
    "source_config.deployment_type",
    "source_revision_config.repo_ref",
    "source_revision_config.graph_config_path",
  ],
  external_container: ["source_revision_config.image_uri"],
  internal_container: [],
};

/** The fields that mean nothing without another one: a listener places a deployment in a namespace (public service). */
export const PREREQUISITES = {
  "source_config.listener_config.k8s_namespace": "source_config.listener_id",
} as const;

/** The fields that a PATCH can't change (contract, "Cannot be changed"). */
export const IMMUTABLE_FIELDS = [
  "name",
  "source",
  "source_config.integration_id",
  "source_config.repo_url",
  "source_config.deployment_type",
  "source_config.listener_id",
  "source_config.listener_config.k8s_namespace",
] as const;

/** `build_on_push: false` is what every source answers with, so that is not a use of the field, nor is an empty list. */
export function usesField(value: unknown): boolean {
  const isEmpty = Array.isArray(value) && value.length === 0;
  return value !== null && value !== undefined && value !== false && !isEmpty;
}
