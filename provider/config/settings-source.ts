/**
 * Where settings are given: in the stack's configuration, with the environment behind it; as arguments of a `Provider`
 * alone; or, for a `Provider` that names neither URL nor key nor workspace, in the environment for these.
 */
export type SettingsSource = "configuration" | "arguments" | "environment";

export const NAMESPACE = "agentserver:";
/** Marks the settings of a provider that a program makes itself. */
export const EXPLICIT = `${NAMESPACE}explicit`;

/** The environment variables that stand in for settings. */
export const VARIABLES = {
  baseUrl: "AGENTSERVER_BASE_URL",
  apiKey: "AGENTSERVER_API_KEY",
  bearerToken: "AGENTSERVER_BEARER_TOKEN",
  workspaceId: "AGENTSERVER_WORKSPACE_ID",
} as const;

/** The variable of a setting, if it has one. */
export function variableOf(name: string): string | undefined {
  return Object.entries(VARIABLES).find(([setting]) => setting === name)?.[1];
}

/** What takes a `Provider` off the environment. */
export const NO_ENVIRONMENT = "set its Provider's `baseUrl`, `apiKey` and `workspaceId`";

/** One or two settings by the names that they are changed by. */
export function namesIn(origin: SettingsSource, ...names: readonly string[]): string {
  const variables = names.map(variableOf);
  if (origin === "configuration") return names.map((name) => NAMESPACE + name).join(" and ");
  if (origin === "environment" && !variables.includes(undefined)) return variables.join(" and ");
  const quoted = names.map((name) => `\`${name}\``).join(" and ");
  return `the argument${names.length > 1 ? "s" : ""} ${quoted} of its Provider`;
}
