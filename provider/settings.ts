import { closest } from "fastest-levenshtein";
import { ControlPlane, type DialectName, DIALECTS, normalizeBaseUrl } from "../sdk";

/** How the control plane is reached, from the stack's configuration first, then from the environment. */
export interface Settings {
  /** In its one form, with `/api-host` for self-hosted installations. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly bearerToken?: string;
  readonly workspaceId: string;
  /** The names that the control plane knows things by. */
  readonly dialect: DialectName;
  readonly requestTimeoutSeconds: number;
  readonly waitTimeoutSeconds: number;
  readonly maxConcurrentRequests: number;
  readonly allowInsecureHttp: boolean;
}

/** All problems of the settings, in the words that the user is shown. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

interface Setting {
  readonly variable?: string;
  readonly fallback?: string;
}

/** Every setting, with the environment variable that stands in for it and its default. */
const SETTINGS = {
  baseUrl: { variable: "AGENTSERVER_BASE_URL" },
  apiKey: { variable: "AGENTSERVER_API_KEY" },
  bearerToken: { variable: "AGENTSERVER_BEARER_TOKEN" },
  workspaceId: { variable: "AGENTSERVER_WORKSPACE_ID" },
  dialect: { fallback: "agentserver" },
  selfHosted: { fallback: "false" },
  requestTimeoutSeconds: { fallback: "30" },
  waitTimeoutSeconds: { fallback: "1800" },
  maxConcurrentRequests: { fallback: "16" },
  allowInsecureHttp: { fallback: "false" },
} satisfies Record<string, Setting>;
type SettingName = keyof typeof SETTINGS;

const NAMESPACE = "agentserver:";
/** Marks the settings of a provider that a program makes itself. */
const EXPLICIT = `${NAMESPACE}explicit`;

/** Reads the settings; throws a `SettingsError` with every problem at once. */
export function readSettings(
  config: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Settings {
  const read = new Reader(config, ambient(config, environment));
  read.refuseUnknown();
  const baseUrl = read.url();
  const apiKey = read.text("apiKey");
  const bearerToken = read.text("bearerToken");
  if (apiKey && bearerToken)
    read.problem("agentserver:apiKey and agentserver:bearerToken are both set; keep one");
  if (!apiKey && !bearerToken) read.missing("apiKey", "--secret agentserver:apiKey <key>");
  const settings = {
    baseUrl,
    ...(apiKey && { apiKey }),
    ...(bearerToken && { bearerToken }),
    workspaceId: read.required("workspaceId", "agentserver:workspaceId <workspace id>"),
    dialect: read.dialect(),
    requestTimeoutSeconds: read.count("requestTimeoutSeconds"),
    waitTimeoutSeconds: read.count("waitTimeoutSeconds"),
    maxConcurrentRequests: read.count("maxConcurrentRequests"),
    allowInsecureHttp: read.flag("allowInsecureHttp"),
  };
  read.throwProblems();
  return settings;
}

/**
 * A provider that a program makes itself takes nothing from the environment once it names a control plane, a key or a
 * workspace: the rest would be those of another one.
 */
function ambient(
  config: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const isNamed = (name: string): boolean => Boolean(config[NAMESPACE + name]);
  const credential = ["apiKey", "bearerToken"].some(isNamed);
  if (config[EXPLICIT] === "true" && (credential || ["baseUrl", "workspaceId"].some(isNamed)))
    return {};
  if (!credential) return environment;
  // One credential in the configuration stands for both.
  const { AGENTSERVER_API_KEY: _key, AGENTSERVER_BEARER_TOKEN: _token, ...rest } = environment;
  return rest;
}

const clients = new Map<string, ControlPlane>();

/** The client with these settings: one for all resources, so that its limit of requests at once is theirs together. */
export function controlPlaneOf(settings: Settings): ControlPlane {
  const key = JSON.stringify(settings);
  const client = clients.get(key) ?? new ControlPlane(settings);
  clients.set(key, client);
  return client;
}

/** A week in seconds; Node's timers end at 24 days. */
const LARGEST_COUNT = 604_800;

class Reader {
  readonly #config: Readonly<Record<string, string>>;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #problems: string[] = [];

  constructor(
    config: Readonly<Record<string, string>>,
    environment: Readonly<Record<string, string | undefined>>,
  ) {
    this.#config = config;
    this.#environment = environment;
  }

  problem(text: string): void {
    this.#problems.push(text);
  }

  throwProblems(): void {
    if (this.#problems.length > 0) throw new SettingsError(this.#problems);
  }

  refuseUnknown(): void {
    const names = Object.keys(SETTINGS);
    for (const key of Object.keys(this.#config).filter((name) => name !== EXPLICIT)) {
      const name = key.startsWith(NAMESPACE) ? key.slice(NAMESPACE.length) : undefined;
      if (name !== undefined && !names.includes(name))
        this.problem(`${key} is no setting; did you mean ${NAMESPACE}${closest(name, names)}?`);
    }
  }

  text(name: SettingName): string | undefined {
    const { variable, fallback }: Setting = SETTINGS[name];
    const given = this.#config[NAMESPACE + name] || (variable && this.#environment[variable]);
    return given || fallback;
  }

  required(name: SettingName, command: string): string {
    return this.text(name) ?? this.missing(name, command);
  }

  missing(name: SettingName, command: string): string {
    const { variable }: Setting = SETTINGS[name];
    this.problem(
      `${NAMESPACE}${name} is missing: run \`pulumi config set ${command}\` or set ${variable}`,
    );
    return "";
  }

  url(): string {
    const text = this.required("baseUrl", "agentserver:baseUrl <https://…>");
    const rules = {
      allowInsecureHttp: this.flag("allowInsecureHttp"),
      selfHosted: this.flag("selfHosted"),
    };
    try {
      return text && normalizeBaseUrl(text, rules);
    } catch (error) {
      this.problem(`agentserver:baseUrl ${error instanceof Error ? error.message : "is wrong"}`);
      return "";
    }
  }

  dialect(): DialectName {
    const text = this.text("dialect");
    const dialect = DIALECTS.find((name) => name === text);
    if (dialect === undefined)
      this.problem(`${NAMESPACE}dialect must be one of ${DIALECTS.join(", ")}`);
    return dialect ?? "agentserver";
  }

  flag(name: SettingName): boolean {
    const text = this.text(name);
    if (text !== "true" && text !== "false")
      this.problem(`${NAMESPACE}${name} must be true or false`);
    return text === "true";
  }

  count(name: SettingName): number {
    const value = Number(this.text(name));
    if (!(Number.isSafeInteger(value) && value > 0 && value <= LARGEST_COUNT))
      this.problem(`${NAMESPACE}${name} must be a whole number from 1 to ${LARGEST_COUNT}`);
    return value;
  }
}
