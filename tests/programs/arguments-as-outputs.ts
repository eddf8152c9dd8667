import { all, interpolate, output, secret } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** Outputs in the place of every argument, of members of arguments, and of whole objects of them. */
export function program({ integrationId }: Settings, version: number) {
  const ref = output(version === 1 ? "main" : "next");
  const whole = new Deployment("whole", {
    source: output("git_host" as const),
    sourceConfig: output({
      integrationId,
      repoUrl: "https://git.example.com/acme/agent.git",
      deploymentType: "dev" as const,
    }),
    sourceRevisionConfig: ref.apply((repoRef) => ({ repoRef, graphConfigPath: "langgraph.json" })),
    env: output({ LOG_LEVEL: "info" }),
    secrets: secret({ MODEL_KEY: "value-of-the-key" }),
    wait: output({ until: "active" as const, timeoutSeconds: 60 }),
    onFailure: output("keep" as const),
  });
  const inside = new Deployment("inside", {
    source: "git_host",
    sourceConfig: {
      integrationId: output(integrationId),
      repoUrl: interpolate`https://git.example.com/${output("acme")}/agent.git`,
      deploymentType: output("dev" as const),
      buildOnPush: output(false),
    },
    sourceRevisionConfig: { repoRef: output("main"), graphConfigPath: output("langgraph.json") },
    env: { BOTH: all([whole.name, whole.id]).apply(([name, id]) => `${name} ${id}`) },
    secrets: { MODEL_KEY: secret("value-of-the-key"), NAME: whole.name },
    wait: { until: output("deployed" as const), timeoutSeconds: output(60) },
    smokeCheck: output(false),
  });
  return { urls: [whole.url, inside.url] };
}

export const expected: Expected = {
  tier: "long",
  steps: { "Deployment whole": "update" },
  kept: ["urls"],
};
