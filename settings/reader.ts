import { type DialectName, DIALECTS, normalizeBaseUrl } from "../sdk";
import { headersProblem, headerValueProblem } from "../sdk/header-value";
import { messageOf } from "../shared/errors";
import { isRecord } from "../shared/records";
import { unknownKeys } from "../shared/unknown-keys";
import {
  EXPLICIT,
  NAMESPACE,
  namesIn,
  NO_ENVIRONMENT,
  optionOf,
  type SettingName,
  SETTINGS,
  type SettingsSource,
  variableOf,
} from "./source";

/** A week in seconds; Node's timers end at 24 days. */
const LARGEST_SECONDS = 604_800;
const LARGEST_COUNT = 1_000;

/** Reads single settings and keeps what is wrong with them. */
export class Reader {
  readonly #config: Readonly<Record<string, string>>;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #origin: SettingsSource;
  readonly problems: string[] = [];

  constructor(
    config: Readonly<Record<string, string>>,
    environment: Readonly<Record<string, string | undefined>>,
    origin: SettingsSource,
  ) {
    this.#config = config;
    this.#environment = environment;
    this.#origin = origin;
  }

  /** Says something of settings by their names. */
  problem(names: SettingName | readonly SettingName[], words: string): void {
    const all = [names].flat();
    const named = all.every((name) => this.#isFromEnvironment(name))
      ? all.map(variableOf).join(" and ")
      : namesIn(this.#origin, ...all);
    this.problems.push(`${named} ${words}`);
  }

  #isFromEnvironment(name: SettingName): boolean {
    const variable = variableOf(name);
    return (
      variable !== undefined && !this.#config[NAMESPACE + name] && !!this.#environment[variable]
    );
  }

  refuseUnknown(): void {
    const names = Object.keys(this.#config)
      .filter((key) => key.startsWith(NAMESPACE) && key !== EXPLICIT)
      .map((key) => key.slice(NAMESPACE.length));
    const naming =
      this.#origin === "configuration"
        ? { noun: "setting", prefix: NAMESPACE }
        : { noun: "Provider argument" };
    this.problems.push(...unknownKeys(names, Object.keys(SETTINGS), naming));
  }

  text(name: SettingName): string | undefined {
    const variable = variableOf(name);
    const given = this.#config[NAMESPACE + name] || (variable && this.#environment[variable]);
    return given || SETTINGS[name];
  }

  /** A setting that is sent as a header. */
  header(name: SettingName): string | undefined {
    const text = this.text(name);
    const problem = text === undefined ? undefined : headerValueProblem(text);
    if (problem !== undefined) this.problem(name, problem);
    return text;
  }

  /** Headers as a JSON object. */
  headers(bearerToken: string | undefined): Readonly<Record<string, string>> | undefined {
    const text = this.text("headers");
    const headers = text === undefined ? {} : stringsIn(text);
    const problem =
      headers === undefined
        ? 'must be a JSON object of strings, such as {"X-Access-Token": "…"}'
        : headersProblem(headers, bearerToken);
    if (problem !== undefined) this.problem("headers", problem);
    return text === undefined ? undefined : headers;
  }

  missing(name: SettingName, command: string): string {
    const local = 'for a local platform run `eval "$(npx pulumi-agentserver env)"`, else ';
    const steps = {
      configuration: `${name === "baseUrl" ? local : ""}run \`pulumi config set ${command}\` or set ${variableOf(name)}`,
      arguments: "nothing is taken from the environment once a URL, a key or a workspace is set",
      environment: `set it, or ${NO_ENVIRONMENT}`,
      command: "set it",
    };
    this.problem(name, `is missing: ${steps[this.#origin]}`);
    return "";
  }

  url(): string {
    const text = this.text("baseUrl") ?? this.missing("baseUrl", "agentserver:baseUrl <https://…>");
    const rules = {
      allowInsecureHttp: this.flag("allowInsecureHttp"),
      selfHosted: this.flag("selfHosted"),
    };
    try {
      return text && normalizeBaseUrl(text, rules, this.#permission());
    } catch (error) {
      this.problem("baseUrl", messageOf(error));
      return "";
    }
  }

  /** The name of `allowInsecureHttp` where it counts for the URL. */
  #permission(): string {
    const name = "allowInsecureHttp";
    if (this.#isFromEnvironment("baseUrl")) return String(variableOf(name));
    return this.#origin === "command" ? optionOf(name) : namesIn(this.#origin, name);
  }

  dialect(): DialectName {
    const text = this.text("dialect");
    const dialect = DIALECTS.find((name) => name === text);
    if (dialect === undefined) this.problem("dialect", `must be one of ${DIALECTS.join(", ")}`);
    return dialect ?? "agentserver";
  }

  flag(name: SettingName): boolean {
    const text = this.text(name);
    if (text !== "true" && text !== "false") this.problem(name, "must be true or false");
    return text === "true";
  }

  count(name: SettingName): number {
    const value = Number(this.text(name));
    const largest = name.endsWith("Seconds") ? LARGEST_SECONDS : LARGEST_COUNT;
    if (!(Number.isSafeInteger(value) && value > 0 && value <= largest))
      this.problem(name, `must be a whole number from 1 to ${largest}`);
    return value;
  }
}

/** The members of a JSON object of strings; undefined for any other text. */
function stringsIn(text: string): Record<string, string> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isStrings(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isStrings(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((member) => typeof member === "string");
}
