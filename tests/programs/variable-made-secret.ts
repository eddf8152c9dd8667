import { ComponentResource, Config, secret } from "@pulumi/pulumi";
import { Deployment, type DeploymentArgs } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** A variable moves from `env` to `secrets`; a setting of the stack is among the variables all along. */
export function program(_: Settings, version: number) {
  const key = new Config("agentserver").requireSecret("apiKey");
  const parent = new ComponentResource("shop:index:Team", "team");
  const image = {
    source: "external_container" as const,
    sourceRevisionConfig: { imageUri: "registry.example.com/acme/agent:1" },
  };
  const variables: Pick<DeploymentArgs, "env" | "secrets"> =
    version === 1
      ? { env: { TOKEN: "value-of-the-token", LOG_LEVEL: "info" }, secrets: { KEY: key } }
      : { env: { LOG_LEVEL: "info" }, secrets: { KEY: key, TOKEN: secret("value-of-the-token") } };
  const moved = new Deployment("moved", { ...image, ...variables }, { parent });
  const hidden = new Deployment("hidden", { ...image, env: { KEY: key } }, { parent });
  return { revisions: [moved.latestRevisionId, hidden.latestRevisionId] };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Team$Deployment moved": "update" },
  kept: ["revisions"],
};
