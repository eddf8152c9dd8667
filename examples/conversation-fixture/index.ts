import * as pulumi from "@pulumi/pulumi";
import * as agentserver from "pulumi-agentserver";
import { conversations, supersteps } from "./conversations";

const config = new pulumi.Config();

const support = new agentserver.Deployment("support", {
  source: "git_host",
  sourceConfig: {
    integrationId: agentserver.getIntegrationOutput().id,
    repoUrl: config.require("repoUrl"),
    deploymentType: "dev",
  },
  sourceRevisionConfig: {
    repoRef: config.get("repoRef") ?? "main",
    graphConfigPath: "langgraph.json",
  },
});

const threads = Object.entries(conversations).map(
  ([name, conversation]) =>
    new agentserver.Thread(name, {
      deploymentUrl: support.url,
      graphId: "agent",
      metadata: { customer: conversation.customer, fixture: name },
      supersteps: supersteps(conversation),
    }),
);

export const url = support.url;
export const threadIds = threads.map(({ threadId }) => threadId);
