import * as pulumi from "@pulumi/pulumi";
import * as agentserver from "pulumi-agentserver";

const config = new pulumi.Config();

const support = new agentserver.Deployment("support", {
  source: "git_host",
  sourceConfig: {
    integrationId: config.get("integrationId") ?? agentserver.getIntegrationOutput().id,
    repoUrl: config.require("repoUrl"),
    deploymentType: "dev",
  },
  sourceRevisionConfig: {
    repoRef: config.get("repoRef") ?? "main",
    graphConfigPath: "langgraph.json",
  },
  env: { LOG_LEVEL: "info" },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
});

export const deploymentId = support.id;
export const url = support.url;
export const revision = support.activeRevisionId;
