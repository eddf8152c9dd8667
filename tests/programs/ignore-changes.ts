import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

export function program({ integrationId }: Settings, version: number) {
  const agent = (name: string, ignoreChanges: string[]) =>
    new Deployment(
      name,
      {
        source: "git_host",
        sourceConfig: {
          integrationId,
          repoUrl: "https://git.example.com/acme/agent.git",
          deploymentType: "dev",
        },
        sourceRevisionConfig: {
          repoRef: version === 1 ? "main" : "next",
          graphConfigPath: "langgraph.json",
        },
        env: { LOG_LEVEL: version === 1 ? "info" : "debug", TEAM: "a" },
      },
      { ignoreChanges },
    );
  const pinned = agent("pinned", ["sourceRevisionConfig.repoRef", "env.LOG_LEVEL"]);
  const level = agent("level", ["sourceRevisionConfig"]);
  const refs = [pinned, level].map(({ sourceRevisionConfig }) => sourceRevisionConfig);
  return { revision: pinned.latestRevisionId, refs };
}

export const expected: Expected = {
  steps: { "Deployment level": "update" },
  kept: ["revision", "refs"],
};
