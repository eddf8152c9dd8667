import { Deployment, getDeploymentOutput, Provider } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** Finds a sibling by the name that it is given, through a provider whose key is another resource's business. */
export function program({ second }: Settings, version: number) {
  const image = (name: string) => ({
    name,
    source: "external_container" as const,
    sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:${version}` },
  });
  const provider = new Provider("second", {
    baseUrl: second.baseUrl,
    apiKey: second.apiKey,
    workspaceId: second.workspaceId,
  });
  const store = new Deployment("store", image("store"), { provider });
  const found = getDeploymentOutput({ name: store.name }, { provider });
  const front = new Deployment("front", {
    source: "external_container",
    sourceRevisionConfig: { imageUri: "registry.example.com/acme/front:1" },
    env: { STORE: found.url.apply(String), STORE_ID: found.id },
  });
  return { ids: [store.id, front.id], same: found.id };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Deployment store": "update" },
  kept: ["ids", "same"],
};
