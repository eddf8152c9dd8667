import * as pulumi from "@pulumi/pulumi";
import * as agentserver from "pulumi-agentserver/native";
import dataset from "./gate.json";

/** Deploys the agent as a stack's configuration says. */
export function deploySupport(config: pulumi.Config) {
  const release = config.require("release");
  // scripts/destroy-environment.sh sets it: what is destroyed next need not serve.
  const until = config.get<"active" | "none">("waitUntil") ?? "active";
  const support = new agentserver.Deployment(
    "support",
    {
      ...sourceOf(release, config, until === "active" ? config.get("commit") : undefined),
      env: { LOG_LEVEL: config.require("logLevel") },
      secrets: { MODEL_API_KEY: secretFromEnvironment("MODEL_API_KEY") },
      smokeCheck: config.getBoolean("gate") ? gate : true,
      onFailure: config.get<"keep" | "rollback">("onFailure") ?? "keep",
      wait: { until },
    },
    { protect: config.getBoolean("protect") ?? false },
  );
  return {
    url: support.url,
    /** The source of the stack's deployment. */
    release,
    /** The commit that the control plane built; empty for an image. */
    commit: pulumi
      .all([support.revisions, support.activeRevisionId])
      .apply(
        ([revisions, active]) => revisions.find(({ id }) => id === active)?.repoCommitSha ?? "",
      ),
  };
}

/** Every question of gate.json is one run of the graph. */
const gate: agentserver.SmokeCheckArgs = {
  graphId: "agent",
  runs: dataset.map(({ asks, expects }) => ({
    input: { messages: [{ role: "user", content: asks }] },
    expect: expects,
  })),
};

/**
 * A release is a tag in full, as in `refs/tags/release/0123456789ab`, which the control plane builds, or an image with
 * its digest. Throws on anything that moves, such as a branch or an image's tag. A tag that was moved all the same is
 * found by the commit that was previewed.
 */
function sourceOf(release: string, config: pulumi.Config, repoCommitSha: string | undefined) {
  if (release.startsWith("refs/tags/"))
    return {
      source: "git_host",
      sourceConfig: {
        integrationId: agentserver.getIntegrationOutput().id,
        repoUrl: config.require("repoUrl"),
        deploymentType: config.get<"dev" | "prod">("deploymentType") ?? "dev",
      },
      sourceRevisionConfig: {
        repoRef: release,
        graphConfigPath: "agent/langgraph.json",
        repoCommitSha,
      },
    } as const;
  if (/@sha256:[0-9a-f]{64}$/.test(release))
    return {
      source: "external_container",
      sourceConfig: { resourceSpec: {} },
      sourceRevisionConfig: { imageUri: release },
    } as const;
  throw new pulumi.RunError(
    `release '${release}' can move; use a tag (refs/tags/…) or an image with its digest (…@sha256:…)`,
  );
}

/** Keys come from the environment of the pipeline. The state holds them encrypted. */
function secretFromEnvironment(name: string): pulumi.Output<string> {
  const value = process.env[name];
  if (!value) throw new pulumi.RunError(`set the environment variable ${name}`);
  return pulumi.secret(value);
}
