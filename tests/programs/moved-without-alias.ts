import { ComponentResource } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** Moved into a component without an alias: to the engine another resource, which takes the deployment over. */
export function program(_: Settings, version: number) {
  const options = version === 1 ? {} : { parent: new ComponentResource("shop:index:Team", "team") };
  const { id, name } = new Deployment(
    "support",
    {
      source: "external_container",
      sourceRevisionConfig: { imageUri: "registry.example.com/acme/agent:1" },
    },
    options,
  );
  return { id, name };
}

export const expected: Expected = {
  steps: {
    "Team team": "create",
    "Team$Deployment support": "create",
    "Deployment support": "delete",
  },
  kept: ["id", "name"],
};
