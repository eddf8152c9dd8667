import { ComponentResource } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** From version 2 on the deployment belongs to another component, of another type. */
export function program(_: Settings, version: number) {
  const shop = new ComponentResource("shop:index:Shop", "shop");
  const desk = new ComponentResource("shop:index:Desk", "desk");
  const options = version === 1 ? { parent: shop } : { parent: desk, aliases: [{ parent: shop }] };
  const { id } = new Deployment(
    "agent",
    {
      source: "external_container",
      sourceRevisionConfig: { imageUri: "registry.example.com/acme/agent:1" },
    },
    options,
  );
  return { id };
}

export const expected: Expected = {
  tier: "nightly",
  steps: {},
  kept: ["id"],
};
