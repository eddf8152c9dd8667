import { Forbidden, type RequestError, Unauthorized } from "../../sdk";

/** What to look at when an agent server refuses. */
export function adviceFor(error: RequestError): string | undefined {
  if (error instanceof Unauthorized || error instanceof Forbidden)
    return "check apiKey, which is the agent server's own key and not the control plane's";
  return undefined;
}
