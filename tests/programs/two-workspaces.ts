import { Deployment, getDeploymentOutput, Provider } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

const image = (imageUri: string) => ({
  source: "external_container" as const,
  sourceRevisionConfig: { imageUri },
});

/** A deployment in the stack's own workspace, and one in another that knows the first one's address. */
export function program({ second }: Settings, version: number) {
  const { baseUrl, apiKey, workspaceId } = second;
  const provider = new Provider("partner", { baseUrl, apiKey, workspaceId });
  const own = new Deployment("agent", image(`registry.example.com/acme/agent:${version}`));
  const partner = new Deployment(
    "agent-partner",
    { ...image("registry.example.com/acme/agent:1"), env: { OWN: own.url } },
    { provider },
  );
  const found = getDeploymentOutput({ id: partner.id }, { provider });
  return { tenants: [own.tenantId, partner.tenantId, found.tenantId] };
}

export const expected: Expected = {
  tier: "long",
  steps: { "Deployment agent": "update" },
  kept: ["tenants"],
};
