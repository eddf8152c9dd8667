import type { Deployment, Revision } from "../../../sdk";
import { urlOf } from "../../../shared/agent-server-url";
import type { Settings } from "../../../settings/settings";

/** The outputs that the service alone sets. */
export function toServiceOutputs(deployment: Deployment, settings: Settings) {
  return {
    name: deployment.name,
    tenantId: deployment.tenant_id || settings.workspaceId,
    baseUrl: settings.baseUrl,
    status: deployment.status,
    url: urlOf(deployment),
    createdAt: deployment.created_at,
    updatedAt: deployment.updated_at,
    imageVersion: deployment.image_version ?? null,
    latestRevisionId: deployment.latest_revision_id ?? null,
    activeRevisionId: deployment.active_revision_id ?? null,
  };
}

/** A revision as the outputs list it; what it is made of may stand at its top or in a member of its own. */
export function toRevisionOutput(revision: Revision) {
  const source = { ...revision, ...revision.source_revision_config };
  return {
    id: revision.id,
    status: revision.status,
    createdAt: revision.created_at ?? null,
    repoRef: source.repo_ref ?? null,
    repoCommitSha: source.repo_commit_sha ?? null,
    graphConfigPath: source.graph_config_path ?? null,
    imageUri: source.image_uri ?? null,
  };
}
