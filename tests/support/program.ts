import { Deployment, type DeploymentArgs } from "pulumi-agentserver";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import type { TestPlatform } from "./platform";

/** The arguments of a deployment from a git repository, on a platform's own integration. */
export function gitArgs({ integrationId }: TestPlatform) {
  return {
    source: "git_host",
    sourceConfig: {
      integrationId,
      repoUrl: "https://git.example.com/acme/support.git",
      deploymentType: "dev",
    },
    sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
  } satisfies DeploymentArgs;
}

/** A program of one deployment that is called `support`. */
export function supportProgram(args: DeploymentArgs): PulumiFn {
  return async () => {
    const { id, url, ready } = new Deployment("support", args);
    return { id, url, ready };
  };
}
