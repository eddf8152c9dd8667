import { ComponentResource } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/**
 * Moved into a component without an alias: to the engine they are other resources. One derives another name, so that its
 * deployment is recreated and the old one deleted; the other adopts the deployment that has its name.
 */
export function program(_: Settings, version: number) {
  const options = version === 1 ? {} : { parent: new ComponentResource("shop:index:Team", "team") };
  const args = {
    source: "external_container" as const,
    sourceRevisionConfig: { imageUri: "registry.example.com/acme/agent:1" },
  };
  new Deployment("derived", args, options);
  const { id, name } = new Deployment(
    "adopting",
    { ...args, name: "support", adoptExisting: true },
    options,
  );
  return { id, name };
}

export const expected: Expected = {
  tier: "long",
  steps: {
    "Team team": "create",
    "Team$Deployment derived": "create",
    "Team$Deployment adopting": "create",
    "Deployment derived": "delete",
    "Deployment adopting": "delete",
  },
  kept: ["id", "name"],
};
