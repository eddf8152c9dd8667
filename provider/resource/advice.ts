import {
  Conflict,
  ConnectionError,
  Forbidden,
  RateLimited,
  type RequestError,
  ServerError,
  TimeoutError,
  TlsError,
  Unauthorized,
} from "../../sdk";
import { quoted } from "../../shared/shell";
import type { Settings } from "../../settings/settings";
import { AS_BEARER, SET_AGENT_KEY } from "../../settings/agent-key";
import { settingsAdvice, settingsOf } from "../../settings/advice";

/** Advice for an error; undefined where the server's own words say enough. */
export type Advice = (error: RequestError) => string | undefined;

/** The operations that run without the program, with the settings that the state holds. An import has no state yet. */
const WITHOUT_PROGRAM: ReadonlySet<string> = new Set(["get", "delete"]);

/** Advice to change these settings, with what else it takes where the state holds one. The environment is read afresh. */
export function adviceToConfigure(
  advice: string,
  { source, fromEnvironment = [] }: Settings,
  names: readonly string[],
): string {
  const isRead = names.every((name) => source === "environment" || fromEnvironment.includes(name));
  return isRead ? advice : `${advice}; ${STORED_CONFIGURATION}`;
}

/** The way out where the service is gone for good, as after a reset of a local platform. */
export function adviceToForget(urn = "<urn>"): string {
  return `if it is gone for good, remove the resource from the state with \`pulumi state delete ${quoted(urn)}\``;
}

const STORED_CONFIGURATION =
  "`pulumi refresh` and `pulumi destroy` use the configuration of the last run of the program: after a change run `pulumi up` first, or add --run-program, with a resource of this provider in the program";

/** The advice about errors of the control plane, which names the settings to check. */
export function controlPlaneAdvice(settings: Settings, verb = "", urn?: string): Advice {
  return (error) => {
    const check = settingsAdvice(error, settings);
    if (check !== undefined) {
      const names = settingsOf(error, settings);
      if (WITHOUT_PROGRAM.has(verb) && names.length === 0)
        return `${check}; ${adviceToForget(urn)}`;
      if (WITHOUT_PROGRAM.has(verb)) return adviceToConfigure(check, settings, names);
      const isKeyOfStack = error instanceof Unauthorized && settings.source === "configuration";
      // Without a verb what was accepted is followed, and its error names the next step itself.
      const isUp = verb === "create" || verb === "update";
      return isKeyOfStack && isUp ? `${check}, then run \`pulumi up\`` : check;
    }
    if (error instanceof Conflict && /^(update|delete) deployment$/.test(error.action))
      return "run the same command again when that has ended";
    return isOverload(error) ? "try again later" : undefined;
  };
}

/** The advice about errors of an agent server. An import takes no arguments. */
export const agentServerAdvice =
  (verb = "", urn?: string): Advice =>
  (error) => {
    const mayBeGone = WITHOUT_PROGRAM.has(verb) && !(error instanceof RateLimited);
    const forget = mayBeGone ? `; ${adviceToForget(urn)}` : "";
    if (error instanceof Unauthorized || error instanceof Forbidden) {
      const check = `check apiKey, which is the agent server's own key and not the control plane's, ${AS_BEARER}`;
      // An update of the key alone sends nothing, so that it is not refused.
      const stored = `${check}; a refresh and a destroy use the key of the last \`pulumi up\`: if that was changed, run one plain \`pulumi up\`, without --refresh, which takes the program's`;
      if (verb === "import") return SET_AGENT_KEY;
      if (verb === "get") return `${stored}; for an import ${SET_AGENT_KEY}`;
      return WITHOUT_PROGRAM.has(verb) ? stored : check;
    }
    if (error instanceof TimeoutError)
      return `the agent server is slow or unreachable; try again later, or increase the setting requestTimeoutSeconds${forget}`;
    if (error instanceof TlsError) return error.advice;
    if (error instanceof ConnectionError)
      return `check that the agent server is running and deploymentUrl is right, then run the same command again${forget}`;
    return isOverload(error) ? `try again later${forget}` : undefined;
  };

/** A server that does not implement the request (501) will not do so later. */
function isOverload(error: RequestError): boolean {
  return error instanceof RateLimited || (error instanceof ServerError && error.status !== 501);
}
