import { closest } from "fastest-levenshtein";
import { type DialectName, DIALECTS, normalizeBaseUrl } from "../sdk";

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

export const NAMESPACE = "agentserver:";
/** Marks the settings of a provider that a program makes itself. */
export const EXPLICIT = `${NAMESPACE}explicit`;

/** A week in seconds; Node's timers end at 24 days. */
const LARGEST_COUNT = 604_800;

/** Reads single settings and keeps what is wrong with them. */
export class Reader {
  readonly #config: Readonly<Record<string, string>>;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly problems: string[] = [];

  constructor(
    config: Readonly<Record<string, string>>,
    environment: Readonly<Record<string, string | undefined>>,
  ) {
    this.#config = config;
    this.#environment = environment;
  }

  problem(text: string): void {
    this.problems.push(text);
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
