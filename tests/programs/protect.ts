import { ComponentResource } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** Children inherit the protection of their component, until it is taken off. */
export function program(_: Settings, version: number) {
  const parent = new ComponentResource("shop:index:Team", "team", {}, { protect: version === 1 });
  const agents = ["chat", "mail"].map(
    (role) =>
      new Deployment(
        role,
        {
          source: "external_container",
          sourceRevisionConfig: { imageUri: `registry.example.com/acme/${role}:1` },
          env: { LOG_LEVEL: role === "mail" && version === 2 ? "debug" : "info" },
        },
        { parent },
      ),
  );
  return { ids: agents.map(({ id }) => id) };
}

export const expected: Expected = {
  tier: "long",
  steps: { "Team$Deployment mail": "update" },
  kept: ["ids"],
};
