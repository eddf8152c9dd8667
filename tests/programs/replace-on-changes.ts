import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** An image is another deployment; who knows its address follows. */
export function program(_: Settings, version: number) {
  const image = (name: string, tag: number) => ({
    source: "external_container" as const,
    sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:${tag}` },
  });
  const store = new Deployment("store", image("store", version), {
    replaceOnChanges: ["sourceRevisionConfig.imageUri"],
  });
  const front = new Deployment("front", { ...image("front", 1), env: { STORE: store.url } });
  const apart = new Deployment("apart", image("apart", 1));
  return { front: front.id, apart: apart.id };
}

export const expected: Expected = {
  tier: "long",
  steps: { "Deployment store": "replace", "Deployment front": "update" },
  kept: ["front", "apart"],
};
