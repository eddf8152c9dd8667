import type { CustomResourceOptions } from "@pulumi/pulumi";
import type { DeploymentArgs } from "pulumi-agentserver";
import type { Program } from "./engine";
import type { TestPlatform } from "./platform";

const REPO_URL = "https://git.example.com/acme/support.git";

/** The arguments of a deployment from a git repository, on a platform's own integration. */
export function gitArgs(
  { integrationId }: TestPlatform,
  { repoUrl = REPO_URL, repoRef = "main" } = {},
) {
  return {
    source: "git_host",
    sourceConfig: { integrationId, repoUrl, deploymentType: "dev" },
    sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
  } satisfies DeploymentArgs;
}

/** A program of one deployment that is called `support`. */
export function supportProgram(args: DeploymentArgs): Program {
  return async ({ Deployment }) => {
    const { id, url, ready } = new Deployment("support", args);
    return { id, url, ready };
  };
}

/** A deployment as a program declares it. */
export interface Declaration {
  readonly args: DeploymentArgs;
  readonly options?: CustomResourceOptions;
}

/** A program of several deployments by the names they have in it; its outputs are their ids. */
export function programOf(declarations: Readonly<Record<string, Declaration>>): Program {
  return async ({ Deployment }) => {
    const made = Object.entries(declarations).map(([name, { args, options }]) => {
      const { id } = new Deployment(name, args, options);
      return [name, id];
    });
    return Object.fromEntries(made);
  };
}
