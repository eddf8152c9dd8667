import type { DialectName } from "../sdk";
import { SELF_HOSTED_PREFIX } from "../sdk/base-url";
import {
  CREDENTIALS,
  EXPLICIT,
  OF_BASE_URL,
  NAMESPACE,
  SETTINGS,
  type SettingsSource,
  VARIABLES,
} from "./source";
import { Reader } from "./reader";

/** The settings of the control plane, from the stack's configuration or a command's options first, then from the environment. */
export interface Settings {
  /** In its one form, with `/api-host` for self-hosted installations. */
  readonly baseUrl: string;
  /** Whether its paths are under `/api-host`. */
  readonly isSelfHosted: boolean;
  readonly apiKey?: string;
  readonly bearerToken?: string;
  /** Sent to that URL's host alone, beside the client's own. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly workspaceId: string;
  /** The names that the control plane knows things by. */
  readonly dialect: DialectName;
  readonly requestTimeoutSeconds: number;
  readonly waitTimeoutSeconds: number;
  readonly maxConcurrentRequests: number;
  readonly allowInsecureHttp: boolean;
  /** The place where its user changes them. */
  readonly source: SettingsSource;
  /** The names of those that the environment has: each command reads it afresh. */
  readonly fromEnvironment?: readonly string[];
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

/** Reads the settings, by their names with `agentserver:`; throws a `SettingsError` with every problem at once. */
export function readSettings(
  config: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  origin: SettingsSource = originOf(config),
): Settings {
  const values = ambient(config, environment, origin);
  const read = new Reader(config, values, origin);
  read.refuseUnknown();
  const baseUrl = read.url();
  const apiKey = read.header("apiKey");
  const bearerToken = read.header("bearerToken");
  if (apiKey && bearerToken) read.problem(["apiKey", "bearerToken"], "are both set; keep one");
  const headers = read.headers(bearerToken);
  if (!apiKey && !bearerToken) read.missing("apiKey", "--secret agentserver:apiKey <key>");
  const fromEnvironment = Object.entries(VARIABLES)
    .filter(([name, variable]) => !config[NAMESPACE + name] && values[variable])
    .map(([name]) => name);
  const settings = {
    baseUrl,
    isSelfHosted: baseUrl.endsWith(SELF_HOSTED_PREFIX),
    ...(apiKey && { apiKey }),
    ...(bearerToken && { bearerToken }),
    ...(headers && { headers }),
    workspaceId:
      read.header("workspaceId") ??
      read.missing("workspaceId", "agentserver:workspaceId <workspace id>"),
    dialect: read.dialect(),
    requestTimeoutSeconds: read.count("requestTimeoutSeconds"),
    waitTimeoutSeconds: read.count("waitTimeoutSeconds"),
    maxConcurrentRequests: read.count("maxConcurrentRequests"),
    allowInsecureHttp: read.flag("allowInsecureHttp"),
    source: origin,
    ...(fromEnvironment.length > 0 && { fromEnvironment }),
  };
  const isIncomplete = !(apiKey || bearerToken) || !settings.workspaceId;
  if (isIncomplete && origin !== "arguments" && isElsewhere(config, environment))
    read.problems.push(
      `${VARIABLES.baseUrl} names another host, and the environment's key and workspace are sent to that one alone: set the three together`,
    );
  if (read.problems.length > 0) throw new SettingsError(read.problems);
  return settings;
}

/** The limit of a request to an agent server. That needs no settings: without usable ones it is the default. */
export function requestTimeoutIn(settings: () => Settings): number {
  try {
    return settings().requestTimeoutSeconds;
  } catch {
    return Number(SETTINGS.requestTimeoutSeconds);
  }
}

/**
 * A provider that a program makes itself takes nothing from the environment once it names a control plane, a key or a
 * workspace: the rest would be those of another one.
 */
function originOf(config: Readonly<Record<string, string>>): SettingsSource {
  if (config[EXPLICIT] !== "true") return "configuration";
  const isNamed = Object.keys(VARIABLES).some((name) => config[NAMESPACE + name]);
  return isNamed ? "arguments" : "environment";
}

/** Whether the environment is for another host than the configuration, or an option, names: nothing there is for this one. */
function isElsewhere(config: NodeJS.Dict<string>, environment: NodeJS.Dict<string>): boolean {
  const [given, known] = [config[`${NAMESPACE}baseUrl`], environment[VARIABLES.baseUrl]];
  return !!given && !!known && hostOf(given) !== hostOf(known);
}

/** Scheme, host and port; the text itself where it is not a valid URL, which is reported elsewhere. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

function ambient(
  config: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
  origin: SettingsSource,
): Readonly<Record<string, string | undefined>> {
  if (origin === "arguments" || isElsewhere(config, environment)) return {};
  const given = (name: string): boolean => !!config[NAMESPACE + name];
  const hidden: string[] = [
    // One credential in the configuration stands for both.
    ...(CREDENTIALS.some(given) ? [VARIABLES.apiKey, VARIABLES.bearerToken] : []),
    // They are of the control plane which the environment names.
    ...(environment[VARIABLES.baseUrl] ? [] : Object.values(OF_BASE_URL)),
  ];
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !hidden.includes(name)));
}
