import { ComponentResource } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

const args = ({ integrationId }: Settings, level: string) => ({
  source: "git_host" as const,
  sourceConfig: {
    integrationId,
    repoUrl: "https://git.example.com/acme/agent.git",
    deploymentType: "dev" as const,
  },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
  env: { LOG_LEVEL: level },
});

export function program(settings: Settings, version: number) {
  const shop = new ComponentResource("shop:index:Shop", "shop");
  const desk = new ComponentResource("shop:index:Desk", "desk");
  const ofShop = new Deployment("agent", args(settings, "info"), { parent: shop });
  const ofDesk = new Deployment("agent", args(settings, version === 1 ? "info" : "warn"), {
    parent: desk,
  });
  return { ids: [ofShop.id, ofDesk.id], names: [ofShop.name, ofDesk.name] };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Desk$Deployment agent": "update" },
  kept: ["ids", "names"],
};
