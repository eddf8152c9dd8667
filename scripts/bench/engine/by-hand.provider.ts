import type { dynamic } from "@pulumi/pulumi";
import type { Arguments } from "./inputs";

/**
 * What somebody writes who needs deployments and nothing more: it makes the requests that ours makes and stores the
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
    const { name } = inputs;
    const named = await this.send("GET", `?name_contains=${name}&limit=100&offset=0`);
    if (named.resources.length > 0) throw new Error(`deployment ${name} exists already`);
    const variables = { ...inputs.env, ...inputs.secrets };
    const { id, latest_revision_id: revisionId } = await this.send("POST", "", {
      name,
      source: inputs.source,
      source_config: {
        integration_id: inputs.sourceConfig.integrationId,
        repo_url: inputs.sourceConfig.repoUrl,
        deployment_type: inputs.sourceConfig.deploymentType,
        build_on_push: false,
      },
      source_revision_config: {
        repo_ref: inputs.sourceRevisionConfig.repoRef,
        graph_config_path: inputs.sourceRevisionConfig.graphConfigPath,
      },
      secrets: Object.entries(variables).map(([key, value]) => ({ name: key, value })),
    });
    const pause = () => new Promise((resolve) => setTimeout(resolve, 1000));
    while ((await this.send("GET", `/${id}/revisions/${revisionId}`)).status !== "DEPLOYED")
      await pause();
    while ((await this.send("GET", `/${id}`)).active_revision_id !== revisionId) await pause();
    const deployment = await this.send("GET", `/${id}`);
    const { resources: revisions } = await this.send("GET", `/${id}/revisions?limit=10`);
    return { id, outs: { ...inputs, ...this.outputs(deployment, revisions) } };
  }

  outputs(deployment: Answer, revisions: readonly Answer[]): Record<string, unknown> {
    return {
      tenantId: deployment.tenant_id,
      baseUrl: this.baseUrl,
      status: deployment.status,
      url: deployment.url,
      createdAt: deployment.created_at,
      updatedAt: deployment.updated_at,
      imageVersion: deployment.image_version,
      latestRevisionId: deployment.latest_revision_id,
      activeRevisionId: deployment.active_revision_id,
      revisions: revisions.map((revision) => ({
        id: revision.id,
        status: revision.status,
        createdAt: revision.created_at,
        repoRef: revision.repo_ref,
        repoCommitSha: revision.repo_commit_sha,
        graphConfigPath: revision.graph_config_path,
        imageUri: revision.image_uri ?? null,
      })),
      failedRevision: null,
      lastGoodRevision: revisions.slice(0, 1).map((revision) => ({
        id: revision.id,
        repoRef: revision.repo_ref,
        repoCommitSha: revision.repo_commit_sha,
        imageUri: revision.image_uri ?? null,
      }))[0],
      rollout: { revisionId: deployment.latest_revision_id, state: "done" },
      ready: true,
    };
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
