import { ComponentResource } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** Another repository is another deployment. Its child and its component stay, and so does what depends on it. */
export function program({ integrationId }: Settings, version: number) {
  const git = (repository: string) => ({
    source: "git_host" as const,
    sourceConfig: {
      integrationId,
      repoUrl: `https://git.example.com/acme/${repository}.git`,
      deploymentType: "dev" as const,
    },
    sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
  });
  const team = new ComponentResource("shop:index:Team", "team");
  const support = new Deployment("support", git(version === 1 ? "support" : "helpdesk"), {
    parent: team,
  });
  const child = new Deployment("child", git("child"), { parent: support });
  const waiting = new Deployment("waiting", git("waiting"), { parent: team, dependsOn: [support] });
  return { ids: [child.id, waiting.id] };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Team$Deployment support": "replace" },
  kept: ["ids"],
};
