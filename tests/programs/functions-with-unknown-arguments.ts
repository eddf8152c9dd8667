import { Deployment, getDeploymentOutput, getRevisionOutput } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** The thing that a function reads does not exist before the first update. Its result is an argument of the next resource. */
export function program(_: Settings, version: number) {
  const image = (name: string, tag: number) => ({
    source: "external_container" as const,
    sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:${tag}` },
  });
  const store = new Deployment("store", image("store", 1));
  const found = getDeploymentOutput({ id: store.id });
  const front = new Deployment("front", {
    ...image("front", version),
    env: { STORE: found.url.apply((url) => url ?? ""), STORE_NAME: found.name },
  });
  const revision = getRevisionOutput({
    deploymentId: front.id,
    revisionId: front.latestRevisionId.apply((id) => id ?? ""),
  });
  return { store: found.id, front: front.id, image: revision.imageUri };
}

export const expected: Expected = {
  tier: "long",
  steps: { "Deployment front": "update" },
  kept: ["store", "front"],
};
