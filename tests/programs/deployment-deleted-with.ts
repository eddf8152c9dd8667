import { ComponentResource } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** Deployments that the destroy leaves alone, since what they go with takes nothing along on the service. */
export function program(_: Settings, version: number) {
  const team = new ComponentResource("shop:index:Team", "team");
  const image = (name: string) => ({
    source: "external_container" as const,
    sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:1` },
  });
  const main = new Deployment("main", image("main"), { parent: team });
  const env = { LOG_LEVEL: version === 1 ? "info" : "debug" };
  const side = new Deployment(
    "side",
    { ...image("side"), env },
    { parent: team, deletedWith: main },
  );
  return { ids: [main.id, side.id] };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Team$Deployment side": "update" },
  kept: ["ids"],
  stay: 1,
};
