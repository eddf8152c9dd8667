/** The way of declaring deployments that is measured. */
export const OURS = "pulumi-agentserver";

/** The same classes on the native provider. */
export const NATIVE = "pulumi-agentserver/native";

/** The floors that ours is compared with: the same written by hand, serialised into the state, or reached by a constant text. */
export const FLOORS = ["dynamic.Resource", "constant text"] as const;

export type Kind = typeof OURS | typeof NATIVE | (typeof FLOORS)[number];

/** The one workspace of the bench's control plane. */
export const WORKSPACE_ID = "22222222-2222-4222-8222-222222222222";

/** It takes any key. */
const ACCESS = { apiKey: "key", workspaceId: WORKSPACE_ID };

/** The settings of a stack that lives on a control plane, by default the bench's own. */
export function settingsFor(baseUrl: string, { apiKey, workspaceId } = ACCESS) {
  return {
    "agentserver:baseUrl": baseUrl,
    "agentserver:apiKey": apiKey,
    "agentserver:workspaceId": workspaceId,
  };
}

const INTEGRATION_ID = "33333333-3333-4333-8333-333333333333";

/** The arguments of every deployment of the bench. */
export function argumentsOf(name: string, integrationId = INTEGRATION_ID, logLevel = "info") {
  return {
    name,
    source: "git_host",
    sourceConfig: {
      integrationId,
      repoUrl: "https://git.example.com/acme/support.git",
      deploymentType: "dev",
    },
    sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
    env: { LOG_LEVEL: logLevel },
    secrets: { MODEL_API_KEY: `secret of ${name}` },
  } as const;
}
export type Arguments = ReturnType<typeof argumentsOf>;
