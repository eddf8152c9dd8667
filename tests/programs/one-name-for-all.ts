import { ComponentResource } from "@pulumi/pulumi";
import { Deployment, Listener, Provider } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** Everything has the same name: the component, its provider, listener and deployment, and a child of that. */
export function program({ second }: Settings, version: number) {
  const { baseUrl, apiKey, workspaceId } = second;
  const support = new Provider("support", { baseUrl, apiKey, workspaceId });
  const parent = new ComponentResource("shop:index:Team", "support", {}, { providers: [support] });
  const computeConfig = { k8sNamespaces: ["agents"] };
  const listener = new Listener(
    "support",
    { computeType: "k8s", computeId: "support", computeConfig },
    { parent },
  );
  const args = {
    source: "external_container" as const,
    sourceConfig: { listenerId: listener.id, listenerConfig: { k8sNamespace: "agents" } },
    sourceRevisionConfig: { imageUri: "registry.example.com/acme/agent:1" },
  };
  const main = new Deployment("support", args, { parent });
  const child = new Deployment(
    "support",
    { ...args, env: { V: String(version) } },
    { parent: main },
  );
  const root = new Deployment("support", { ...args, sourceConfig: {} });
  return { names: [main.name, child.name, root.name] };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Team$Deployment$Deployment support": "update" },
  kept: ["names"],
};
