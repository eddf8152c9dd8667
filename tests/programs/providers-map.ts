import { ComponentResource } from "@pulumi/pulumi";
import { Deployment, getIntegrationOutput, Provider } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

export function program({ second }: Settings, version: number) {
  const { baseUrl, apiKey, workspaceId } = second;
  const eu = new Provider("eu", { baseUrl, apiKey, workspaceId });
  const region = new ComponentResource(
    "shop:index:Region",
    "eu",
    {},
    { providers: { "pulumi-nodejs": eu } },
  );
  const team = new ComponentResource("shop:index:Team", "team", {}, { parent: region });
  const integrationId = getIntegrationOutput({}, { parent: team }).id;
  const agents = ["chat", "mail"].map(
    (role) =>
      new Deployment(
        role,
        {
          source: "git_host",
          sourceConfig: {
            integrationId,
            repoUrl: "https://git.example.com/acme/agent.git",
            deploymentType: "dev",
          },
          sourceRevisionConfig: { repoRef: "main", graphConfigPath: `${role}.json` },
          redeployOn: role === "mail" ? version : 1,
        },
        { parent: team },
      ),
  );
  return { tenants: agents.map(({ tenantId }) => tenantId) };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Region$Team$Deployment mail": "update" },
  kept: ["tenants"],
};
