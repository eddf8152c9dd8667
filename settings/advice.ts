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
  const { source, workspaceId } = settings;
  if (error instanceof Unauthorized) return credentialAdvice(settings);
  if (error instanceof Forbidden)
    return `check that the key has access to workspace ${workspaceId} (${namesIn(source, "workspaceId")})`;
  if (error instanceof TimeoutError)
    return `the control plane is slow or unreachable; increase ${namesIn(source, "requestTimeoutSeconds")}`;
  if (error instanceof TlsError) return error.advice;
  if (error instanceof ConnectionError)
    return `check that the control plane is running and ${namesIn(source, "baseUrl")} is right${hostsOf(settings)}`;
  if (error instanceof NotOfferedError)
    return `check ${namesIn(source, "baseUrl")}: the request was ${error.method} ${error.url}${hostsOf(settings)}`;
  return undefined;
}

/** The addresses that published clients of the public service use. */
function hostsOf({ dialect, isSelfHosted }: Settings): string {
  if (dialect !== "langsmith" || isSelfHosted) return "";
  return "; clients of the public service use https://api.host.langchain.com, or the LangSmith endpoint https://api.smith.langchain.com, each with the region in front of its host; an installation needs the setting selfHosted";
}

function credentialAdvice({ source, bearerToken, fromEnvironment = [] }: Settings): string {
  const name = bearerToken ? "bearerToken" : "apiKey";
  const check = `check ${namesIn(source, name)}`;
  if (source === "arguments" || source === "command") return check;
  if (source === "environment") return `${check}, or ${NO_ENVIRONMENT}`;
  if (fromEnvironment.includes(name)) return `check ${namesIn("environment", name)}`;
  const [value, variable] = [bearerToken ? "token" : "key", namesIn("environment", name)];
  return `${check} (\`pulumi config set --secret agentserver:${name} <${value}>\`, which goes before ${variable})`;
}
