import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

export function program({ integrationId }: Settings, version: number) {
  const teams = version === 1 ? ["orders", "stock", "returns"] : ["orders", "returns", "loyalty"];
  const urls = teams.map((team) => {
    const { url } = new Deployment(`agent-${team}`, {
      source: "git_host",
      sourceConfig: {
        integrationId,
        repoUrl: "https://git.example.com/acme/agent.git",
        deploymentType: "dev",
      },
      sourceRevisionConfig: { repoRef: "main", graphConfigPath: `${team}/langgraph.json` },
      env: { TEAM: team },
    });
    return [team, url] as const;
  });
  return Object.fromEntries(urls);
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Deployment agent-loyalty": "create", "Deployment agent-stock": "delete" },
  kept: ["orders", "returns"],
};
