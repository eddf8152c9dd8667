import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

export function program({ integrationId }: Settings, version: number) {
  const args = {
    source: "git_host",
    sourceConfig: {
      integrationId,
      repoUrl: "https://git.example.com/acme/agent.git",
      deploymentType: "dev",
    },
    sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
  } as const;
  const { id, name } =
    version === 1
      ? new Deployment("support", args)
      : new Deployment("helpdesk", args, { aliases: [{ name: "support" }] });
  return { id, name };
}

export const expected: Expected = { tier: "long", steps: {}, kept: ["id", "name"] };
