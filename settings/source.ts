/**
 * The sources of settings: the stack's configuration, with the environment behind it; the arguments of a `Provider`
 * alone; for a `Provider` that names neither URL nor key nor workspace, in the environment for these; or as options of a
 * command, with the environment behind them.
 */
export type SettingsSource = "configuration" | "arguments" | "environment" | "command";

export const NAMESPACE = "agentserver:";
/** Marks the settings of a provider that a program makes itself. */
export const EXPLICIT = `${NAMESPACE}explicit`;

/** The environment variables of the settings that name a control plane, and who sends it requests. */
export const VARIABLES = {
  baseUrl: "AGENTSERVER_BASE_URL",
  apiKey: "AGENTSERVER_API_KEY",
  bearerToken: "AGENTSERVER_BEARER_TOKEN",
  workspaceId: "AGENTSERVER_WORKSPACE_ID",
} as const;

/** Those that count only where the environment names the control plane. */
export const OF_BASE_URL = {
  dialect: "AGENTSERVER_DIALECT",
  allowInsecureHttp: "AGENTSERVER_ALLOW_INSECURE_HTTP",
} as const;

/** Every setting with its default, if it has one. */
export const SETTINGS = {
  baseUrl: undefined,
  apiKey: undefined,
  bearerToken: undefined,
  headers: undefined,
  workspaceId: undefined,
  dialect: "agentserver",
  selfHosted: "false",
  requestTimeoutSeconds: "30",
  waitTimeoutSeconds: "1800",
  maxConcurrentRequests: "16",
  allowInsecureHttp: "false",
};
/** The name of a setting. */
export type SettingName = keyof typeof SETTINGS;

const ALL_VARIABLES = new Map<string, string>(
  Object.entries({ ...VARIABLES, ...OF_BASE_URL, headers: "AGENTSERVER_HEADERS" }),
);

/** The variable of a setting, if it has one. */
export function variableOf(name: string): string | undefined {
  return ALL_VARIABLES.get(name);
}

/** One of them is required. */
export const CREDENTIALS: readonly string[] = ["apiKey", "bearerToken"];

/** Always secret: never an option of a command, since others on the machine see the options of a process. */
export const SECRETS: readonly string[] = [...CREDENTIALS, "headers"];

/** What is wrong with secret settings that a stack's configuration has in clear, and the command that encrypts each. */
export function plainTextProblem(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const keys = names.map((name) => NAMESPACE + name);
  const commands = keys.map((key) => `\`pulumi config set --secret ${key}\``);
  return `${keys.join(" and ")} in the stack's configuration must be secret: run ${commands.join(" and ")}`;
}

/** The advice to make a `Provider` independent of the environment. */
export const NO_ENVIRONMENT = "set its Provider's `baseUrl`, `apiKey` and `workspaceId`";

/** One or two settings by the names that they are changed by. */
export function namesIn(origin: SettingsSource, ...names: readonly string[]): string {
  const variables = names.map((name) => (name in VARIABLES ? variableOf(name) : undefined));
  if (origin === "command") return names.map(nameInCommand).join(" and ");
  if (origin === "configuration") return names.map((name) => NAMESPACE + name).join(" and ");
  if (origin === "environment" && !variables.includes(undefined)) return variables.join(" and ");
  const quoted = names.map((name) => `\`${name}\``).join(" and ");
  return `the argument${names.length > 1 ? "s" : ""} ${quoted} of its Provider`;
}

function nameInCommand(name: string): string {
  const variable = variableOf(name);
  if (SECRETS.includes(name)) return String(variable);
  return [optionOf(name), variable ?? []].flat().join(" or ");
}

/** The option of a command for a setting: `--base-url`. */
export function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
