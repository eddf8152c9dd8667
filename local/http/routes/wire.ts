import type { z } from "zod";
import {
  CreateListener,
  ResourceSpec,
  type Listener as StoredListener,
  type SourceConfig,
  type SourceRevisionConfig,
} from "../../../sdk/schema";
import { withDefaults } from "../../../sdk/schema/resource-defaults";
import type { Dialect } from "../../../sdk/dialect";
import { type Deployment, Listener, type Revision } from "./responses";
import type { StoredDeployment, StoredRevision } from "../../store";

const UNSET_RESOURCES = Object.fromEntries(
  Object.keys(ResourceSpec.shape).map((name) => [name, null]),
);

/** A deployment as it is answered: every member is there, what was never set is null. */
export function toDeployment(stored: StoredDeployment, { isExtended }: Dialect): Deployment {
  return {
    id: stored.id,
    tenant_id: stored.workspace_id,
    name: stored.name,
    ...(isExtended && { display_name: stored.display_name }),
    source: stored.source,
    source_config: toSourceConfig(stored),
    source_revision_config: toSourceRevisionConfig(stored.source_revision_config),
    secrets: stored.secrets,
    ...(isExtended && { secret_references: stored.secret_references }),
    status: stored.status,
    created_at: stored.created_at,
    updated_at: stored.updated_at,
    latest_revision_id: stored.latest_revision_id,
    active_revision_id: stored.active_revision_id,
    image_version: stored.image_version,
    url: stored.url,
  };
}

/** A revision as it is answered: its fields nested as the public service does, and at the top as the contract can be read. */
export function toRevision(stored: StoredRevision): Revision {
  const config = toSourceRevisionConfig(stored.source_revision_config);
  return {
    id: stored.id,
    created_at: stored.created_at,
    updated_at: stored.updated_at,
    status: stored.status,
    source: stored.source,
    source_revision_config: config,
    ...config,
  };
}

/** A listener as it is answered. */
export function toListener({ compute_config, ...stored }: StoredListener): Listener {
  const { compute_config: config } = CreateListener.shape;
  return answered(Listener, {
    ...stored,
    compute_config: answered(config.required(), compute_config),
  });
}

/** What is stored in the shape of an answer: what was never set is null. */
function answered<Answer>(answer: z.ZodType<Answer> & z.ZodObject, stored: object): Answer;
function answered({ shape }: z.ZodObject, stored: object): object {
  const unset = Object.fromEntries(Object.keys(shape).map((name) => [name, null]));
  return { ...unset, ...stored };
}

function toSourceConfig({ source, source_config: config, url }: StoredDeployment): SourceConfig {
  return {
    integration_id: config.integration_id ?? null,
    repo_url: config.repo_url ?? null,
    deployment_type: config.deployment_type ?? null,
    build_on_push: config.build_on_push ?? false,
    custom_url: source === "git_host" ? url : (config.custom_url ?? null),
    resource_spec: config.resource_spec
      ? { ...UNSET_RESOURCES, ...withDefaults(config.resource_spec) }
      : null,
    listener_id: config.listener_id ?? null,
    listener_config: config.listener_config
      ? { k8s_namespace: config.listener_config.k8s_namespace ?? null }
      : null,
    install_command: config.install_command ?? null,
    build_command: config.build_command ?? null,
  };
}

function toSourceRevisionConfig(config: SourceRevisionConfig) {
  return {
    repo_ref: config.repo_ref ?? null,
    graph_config_path: config.graph_config_path ?? null,
    image_uri: config.image_uri ?? null,
    repo_commit_sha: config.repo_commit_sha ?? null,
  };
}
