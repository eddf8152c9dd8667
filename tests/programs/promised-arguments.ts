import { secret } from "@pulumi/pulumi";
import { Deployment, getIntegration } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

const later = async <Value>(value: Value): Promise<Value> => value;

/** Promises in the place of arguments. */
export function program(_: Settings, version: number) {
  const { url, latestRevisionId } = new Deployment("agent", {
    source: later("git_host" as const),
    sourceConfig: {
      integrationId: getIntegration().then(({ id }) => id),
      repoUrl: later("https://git.example.com/acme/agent.git"),
      deploymentType: "dev",
    },
    sourceRevisionConfig: later({ repoRef: later("main"), graphConfigPath: "langgraph.json" }),
    env: later({ LOG_LEVEL: later("info") }),
    secrets: { KEY: secret(later(`value of version ${version}`)) },
  });
  const apart = new Deployment("apart", {
    source: "external_container",
    sourceRevisionConfig: { imageUri: later("registry.example.com/acme/apart:1") },
    secrets: later({ KEY: "value-of-apart" }),
  });
  return { url, revisions: [apart.latestRevisionId], changed: latestRevisionId };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Deployment agent": "update" },
  kept: ["url", "revisions"],
};
