import * as pulumi from "@pulumi/pulumi";
import * as agentserver from "pulumi-agentserver";
import { assistants, type SupportAssistant } from "./assistants";

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
  // The graph itself: it must answer without an assistant of ours.
  smokeCheck: {
    graphId: "agent",
    runs: [{ input: asking("Where is order 7?"), expect: { contains: "order 7" } }],
  },
});

const declared = Object.entries(assistants).map(
  ([name, { description, language, prompt, gate }]) =>
    new agentserver.Assistant(name, {
      deploymentUrl: support.url,
      graphId: "agent",
      description,
      context: { language, prompt, model: config.require("model") },
      gate: runsOf(gate),
    }),
);

const crons = Object.entries(assistants).flatMap(([name, { cron }], at) =>
  cron
    ? [
        new agentserver.Cron(name, {
          deploymentUrl: support.url,
          assistantId: declared[at]?.assistantId,
          schedule: cron.schedule,
          timezone: "Europe/Berlin",
          input: asking(cron.question),
        }),
      ]
    : [],
);

export const url = support.url;
export const assistantIds = declared.map(({ assistantId }) => assistantId);
export const nextRuns = crons.map(({ nextRunDate }) => nextRunDate);

function runsOf(gate: SupportAssistant["gate"]): agentserver.GateArgs {
  return {
    runs: Object.entries(gate).map(([question, contains]) => ({
      input: asking(question),
      expect: { contains },
    })),
    atLeast: 1,
  };
}

function asking(content: string) {
  return { messages: [{ role: "user", content }] };
}
