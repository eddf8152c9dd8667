import {
  ConnectionError,
  Forbidden,
  NotOfferedError,
  type RequestError,
  TimeoutError,
  TlsError,
  Unauthorized,
} from "../sdk";
import type { Settings } from "./settings";
import { namesIn, NO_ENVIRONMENT } from "./source";

/** The names of the settings that an error is about. */
export function settingsOf(error: RequestError, { bearerToken }: Settings): string[] {
  if (error instanceof Unauthorized) return [bearerToken ? "bearerToken" : "apiKey"];
  if (error instanceof Forbidden) return ["workspaceId"];
  if (error instanceof TimeoutError) return ["requestTimeoutSeconds"];
  return error instanceof NotOfferedError ? ["baseUrl"] : [];
}

/** The settings to check after an error of the control plane; undefined where it is not about settings. */
export function settingsAdvice(error: RequestError, settings: Settings): string | undefined {
  const { workspaceId } = settings;
  if (error instanceof Unauthorized) return credentialAdvice(settings);
  if (error instanceof Forbidden)
    return `check that the key has access to workspace ${workspaceId} (${namesOf(settings, "workspaceId")})`;
  if (error instanceof TimeoutError) {
    const increase = `increase ${namesOf(settings, "requestTimeoutSeconds")}`;
    // A command has no option for it.
    return `the control plane is slow or unreachable; ${settings.source === "command" ? "try again later" : increase}`;
  }
  if (error instanceof TlsError) return error.advice;
  if (error instanceof ConnectionError)
    return `check that the control plane is running and ${namesOf(settings, "baseUrl")} is right${hostsOf(settings)}`;
  if (error instanceof NotOfferedError)
    return `check ${namesOf(settings, "baseUrl")}: the request was ${error.method} ${error.url}${hostsOf(settings)}`;
  return undefined;
}

/** The addresses that published clients of the public service use. */
function hostsOf({ dialect, isSelfHosted }: Settings): string {
  if (dialect !== "langsmith" || isSelfHosted) return "";
  return "; clients of the public service use https://api.host.langchain.com, or the LangSmith endpoint https://api.smith.langchain.com, each with the region in front of its host; an installation needs the setting selfHosted";
}

/** Settings by the names that they are changed by, each where its value comes from. */
export function namesOf(settings: Settings, ...names: readonly string[]): string {
  const { source, fromEnvironment = [] } = settings;
  if (source !== "configuration") return namesIn(source, ...names);
  return names
    .map((name) => namesIn(fromEnvironment.includes(name) ? "environment" : source, name))
    .join(" and ");
}

function credentialAdvice(settings: Settings): string {
  const { source, bearerToken, fromEnvironment = [] } = settings;
  const name = bearerToken ? "bearerToken" : "apiKey";
  const check = `check ${namesOf(settings, name)}`;
  if (source === "environment") return `${check}, or ${NO_ENVIRONMENT}`;
  if (source !== "configuration" || fromEnvironment.includes(name)) return check;
  const [value, variable] = [bearerToken ? "token" : "key", namesIn("environment", name)];
  return `${check} (\`pulumi config set --secret agentserver:${name} <${value}>\`, which goes before ${variable})`;
}
