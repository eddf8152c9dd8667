import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

export function program(_: Settings, version: number) {
  const image = (name: string) => ({
    source: "external_container" as const,
    sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:1` },
  });
  if (version === 1) new Deployment("kept", image("kept"), { retainOnDelete: true });
  return { id: new Deployment("apart", image("apart")).id };
}

export const expected: Expected = {
  tier: "long",
  steps: { "Deployment kept": "delete" },
  kept: ["id"],
  stay: 1,
};
