import { ComponentResource, type ComponentResourceOptions } from "@pulumi/pulumi";
import {
  Deployment,
  getDeploymentOutput,
  getIntegrationOutput,
  getListenerOutput,
  listDeploymentsOutput,
  listRevisionsOutput,
  Provider,
} from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** Gets what it needs from the workspace of the provider that is handed down to it. */
class Team extends ComponentResource {
  readonly chat: Deployment;
  readonly seen;

  constructor(name: string, version: number, options: ComponentResourceOptions) {
    super("shop:index:Team", name, {}, options);
    const parent = this.asParent();
    const listener = getListenerOutput({}, parent);
    this.chat = new Deployment(
      `${name}-chat`,
      {
        source: "git_host",
        sourceConfig: {
          integrationId: getIntegrationOutput({ name: "local" }, parent).id,
          repoUrl: "https://git.example.com/acme/chat.git",
          deploymentType: "dev",
        },
        sourceRevisionConfig: {
          repoRef: version === 1 ? "main" : "next",
          graphConfigPath: "langgraph.json",
        },
      },
      parent,
    );
    new Deployment(
      `${name}-mail`,
      {
        source: "external_container",
        sourceConfig: { listenerId: listener.id, listenerConfig: { k8sNamespace: "agents" } },
        sourceRevisionConfig: { imageUri: "registry.example.com/acme/mail:1" },
        env: { CHAT: getDeploymentOutput({ name: this.chat.name }, parent).url.apply(String) },
      },
      parent,
    );
    const found = getDeploymentOutput({ id: this.chat.id }, parent);
    this.seen = [
      found.name,
      listDeploymentsOutput({ nameContains: this.chat.name }, parent).length,
      listRevisionsOutput({ deploymentId: found.id, limit: 1 }, parent).length,
    ];
    this.registerOutputs({ seen: this.seen });
  }

  private asParent() {
    return { parent: this };
  }
}

export function program({ second }: Settings, version: number) {
  const { baseUrl, apiKey, workspaceId } = second;
  const eu = new Provider("eu", { baseUrl, apiKey, workspaceId });
  const { seen } = new Team("eu", version, { providers: [eu] });
  return { seen };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Team$Deployment eu-chat": "update" },
  kept: ["seen"],
};
