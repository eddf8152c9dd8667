import { ComponentResource } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

export function program(_: Settings, version: number) {
  const parent = new ComponentResource("shop:index:Team", "team");
  const agents = ["chat", "mail", "call"].map(
    (role) =>
      new Deployment(
        role,
        {
          source: "external_container",
          sourceRevisionConfig: { imageUri: `registry.example.com/acme/${role}:${version}` },
        },
        { parent },
      ),
  );
  return { ids: agents.map(({ id }) => id) };
}

export const expected: Expected = {
  tier: "long",
  target: ["Team$Deployment mail"],
  steps: { "Team$Deployment mail": "update" },
  pending: { "Team$Deployment chat": "update", "Team$Deployment call": "update" },
};
