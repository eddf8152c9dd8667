import { ComponentResource, type ComponentResourceOptions } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

interface TeamArgs {
  readonly integrationId: string;
  readonly billingLevel: string;
}

class Team extends ComponentResource {
  readonly support: Deployment;
  readonly billing: Deployment;

  constructor(name: string, args: TeamArgs, options?: ComponentResourceOptions) {
    super("shop:index:Team", name, {}, options);
    const agent = (role: string, level: string) =>
      new Deployment(
        `${name}-${role}`,
        {
          source: "git_host",
          sourceConfig: {
            integrationId: args.integrationId,
            repoUrl: `https://git.example.com/acme/${role}.git`,
            deploymentType: "dev",
          },
          sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
          env: { LOG_LEVEL: level },
        },
        { parent: this },
      );
    this.support = agent("support", "info");
    this.billing = agent("billing", args.billingLevel);
    this.registerOutputs({ support: this.support.url, billing: this.billing.url });
  }
}

export function program({ integrationId }: Settings, version: number) {
  const billingLevel = version === 1 ? "info" : "debug";
  const { support, billing } = new Team("eu", { integrationId, billingLevel });
  return { support: support.url, billing: billing.url };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Team$Deployment eu-billing": "update" },
  kept: ["support", "billing"],
};
