import {
  ConnectionError,
  Forbidden,
  NotOfferedError,
  RateLimited,
  type RequestError,
  ServerError,
  TimeoutError,
  Unauthorized,
} from "../../sdk";
import type { Settings } from "../config/settings";
import { namesIn, NO_ENVIRONMENT } from "../config/settings-source";

/** What to do about an error; undefined where the server's own words say enough. */
export type Advice = (error: RequestError) => string | undefined;

/** The operations that run without the program, with the settings that the state holds. */
const WITHOUT_PROGRAM: ReadonlySet<string> = new Set(["get", "delete"]);

/** Advice to change settings, with what else it takes where the state holds them. The environment is read afresh. */
export function adviceToConfigure(advice: string, { source }: Settings): string {
  return source === "environment" ? advice : `${advice}; ${STORED_CONFIGURATION}`;
}

const STORED_CONFIGURATION =
  "`pulumi refresh` and `pulumi destroy` use the configuration of the last run of the program: after a change run `pulumi up` first, or add --run-program";

/** The advice about errors of the control plane, which names the settings to check. */
export function controlPlaneAdvice(settings: Settings, verb = ""): Advice {
  return (error) => {
    const check = settingsAdvice(error, settings);
    if (check !== undefined)
      return WITHOUT_PROGRAM.has(verb) ? adviceToConfigure(check, settings) : check;
    return isOverload(error) ? "try again later" : undefined;
  };
}

function settingsAdvice(error: RequestError, settings: Settings): string | undefined {
  const { source, workspaceId } = settings;
  if (error instanceof Unauthorized) return credentialAdvice(settings);
  if (error instanceof Forbidden)
    return `check that the key has access to workspace ${workspaceId} (${namesIn(source, "workspaceId")})`;
  if (error instanceof TimeoutError)
    return `the control plane is slow or unreachable; increase ${namesIn(source, "requestTimeoutSeconds")}`;
  if (error instanceof ConnectionError)
    return `check that the control plane is running and ${namesIn(source, "baseUrl")} is right`;
  if (error instanceof NotOfferedError)
    return `check ${namesIn(source, "baseUrl")}: the request was ${error.method} ${error.url}`;
  return undefined;
}

/** The advice about errors of an agent server. */
export const agentServerAdvice: Advice = (error) => {
  if (error instanceof Unauthorized || error instanceof Forbidden)
    return "check apiKey, which is the agent server's own key and not the control plane's";
  if (error instanceof TimeoutError)
    return "the agent server is slow or unreachable; try again later";
  if (error instanceof ConnectionError)
    return "check that the agent server is running and deploymentUrl is right, then run the same command again";
  return isOverload(error) ? "try again later" : undefined;
};

function isOverload(error: RequestError): boolean {
  return error instanceof RateLimited || error instanceof ServerError;
}

function credentialAdvice({ source, bearerToken }: Settings): string {
  const check = `check ${namesIn(source, bearerToken ? "bearerToken" : "apiKey")}`;
  if (source === "arguments") return check;
  if (source === "environment") return `${check}, or ${NO_ENVIRONMENT}`;
  return bearerToken
    ? `${check} (or AGENTSERVER_BEARER_TOKEN)`
    : `${check} (\`pulumi config set --secret agentserver:apiKey <key>\`, or AGENTSERVER_API_KEY)`;
}
