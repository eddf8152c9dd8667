import * as pulumi from "@pulumi/pulumi";
import * as agentserver from "pulumi-agentserver";

// The stack of one tenant. `fleet.ts` copies the tenant's entry of the list into the stack's configuration.
const config = new pulumi.Config();

const support = new agentserver.Deployment("support", {
  source: "git_host",
  sourceConfig: {
    integrationId: agentserver.getIntegrationOutput().id,
    repoUrl: config.require("repoUrl"),
    deploymentType: config.require<"dev" | "prod">("deploymentType"),
  },
  sourceRevisionConfig: {
    repoRef: `refs/tags/${config.require("version")}`,
    graphConfigPath: "langgraph.json",
  },
  env: { TENANT: pulumi.getStack() },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
});

export const url = support.url;
