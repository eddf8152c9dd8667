import { ComponentResource } from "@pulumi/pulumi";
import { Deployment, Listener } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** Reads what others manage, inside a component too, and builds on it. */
export function program({ listenerId }: Settings, version: number) {
  const image = (name: string, tag: number) => ({
    source: "external_container" as const,
    sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:${tag}` },
  });
  const store = new Deployment("store", image("store", 1));
  const parent = new ComponentResource("shop:index:Team", "team", {}, { dependsOn: store });
  const seen = Deployment.get("seen", store.id, { parent });
  const cluster = Listener.get("cluster", listenerId);
  const front = new Deployment(
    "front",
    {
      ...image("front", version),
      sourceConfig: { listenerId: cluster.id, listenerConfig: { k8sNamespace: "default" } },
      env: { STORE: seen.url },
    },
    { parent },
  );
  return { name: seen.name, version: cluster.computeId, id: front.id };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Team$Deployment front": "update" },
  kept: ["name", "version", "id"],
};
