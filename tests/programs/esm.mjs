import { interpolate } from "@pulumi/pulumi";
import { Deployment, getIntegration } from "pulumi-agentserver";

export async function program(_settings, version) {
  const { id: integrationId } = await getIntegration();
  const agents = ["support", "billing"].map(
    (name) =>
      new Deployment(name, {
        source: "git_host",
        sourceConfig: {
          integrationId,
          repoUrl: `https://git.example.com/acme/${name}.git`,
          deploymentType: "dev",
        },
        sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
        env: { LOG_LEVEL: name === "billing" && version === 2 ? "debug" : "info" },
      }),
  );
  return { info: agents.map(({ url }) => interpolate`${url}/info`) };
}

export const expected = { steps: { "Deployment billing": "update" }, kept: ["outputs"] };
