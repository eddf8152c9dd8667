import type { dynamic } from "@pulumi/pulumi";
import type { Arguments } from "./inputs";

/**
 * A provider written by hand for deployments and nothing more: it makes the requests that ours makes and stores the
 * values that ours stores. Without check and diff it costs the engine the least.
 */
export class ByHandProvider implements dynamic.ResourceProvider {
  // Not private by `#`: the serialised form of a provider can't have that.
  baseUrl = "";
  headers: Record<string, string> = {};

  async configure({ config }: dynamic.ConfigureRequest): Promise<void> {
    this.baseUrl = config.require("agentserver:baseUrl");
    this.headers = {
      "content-type": "application/json",
      "x-api-key": config.require("agentserver:apiKey"),
      "x-tenant-id": config.require("agentserver:workspaceId"),
    };
  }

  async create(inputs: Arguments): Promise<dynamic.CreateResult> {
    const { name, source, sourceConfig, sourceRevisionConfig } = inputs;
    const named = await this.send("GET", `?name_contains=${name}&limit=100&offset=0`);
    if (named.resources.length > 0) throw new Error(`deployment ${name} exists already`);
    const variables = Object.entries({ ...inputs.env, ...inputs.secrets });
    const { id, latest_revision_id: revisionId } = await this.send("POST", "", {
      name,
      source,
      source_config: {
        integration_id: sourceConfig.integrationId,
        repo_url: sourceConfig.repoUrl,
        deployment_type: sourceConfig.deploymentType,
        build_on_push: false,
      },
      source_revision_config: {
        repo_ref: sourceRevisionConfig.repoRef,
        graph_config_path: sourceRevisionConfig.graphConfigPath,
      },
      secrets: variables.map(([key, value]) => ({ name: key, value })),
    });
    const pause = () => new Promise((resolve) => setTimeout(resolve, 1000));
    const read = () => this.send("GET", `/${id}/revisions/${revisionId}`);
    let revision = await read();
    for (; revision.status !== "DEPLOYED"; revision = await read()) await pause();
    let deployment = await this.send("GET", `/${id}`);
    while (deployment.active_revision_id !== revisionId) {
      await pause();
      deployment = await this.send("GET", `/${id}`);
    }
    const made = {
      id: revision.id,
      status: revision.status,
      createdAt: revision.created_at,
      repoRef: revision.repo_ref,
      repoCommitSha: revision.repo_commit_sha,
      graphConfigPath: revision.graph_config_path,
      imageUri: revision.image_uri ?? null,
    };
    const { repoRef, repoCommitSha, imageUri } = made;
    const outs = {
      ...inputs,
      tenantId: deployment.tenant_id,
      baseUrl: this.baseUrl,
      status: deployment.status,
      url: deployment.url,
      createdAt: deployment.created_at,
      updatedAt: deployment.updated_at,
      imageVersion: deployment.image_version,
      latestRevisionId: deployment.latest_revision_id,
      activeRevisionId: deployment.active_revision_id,
      revisions: [made],
      failedRevision: null,
      lastGoodRevision: { id: revisionId, repoRef, repoCommitSha, imageUri },
      rollout: { revisionId, state: "done" },
      ready: true,
    };
    return { id, outs };
  }

  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.baseUrl}/v2/deployments${path}`, {
      method,
      headers: this.headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return Object(await response.json());
  }
}

/** A body of whatever kind: whoever writes this by hand takes it as it comes. */
type Answer = ReturnType<ObjectConstructor>;
