import {
  ConnectionError,
  Forbidden,
  RateLimited,
  type RequestError,
  ServerError,
  TimeoutError,
  Unauthorized,
} from "../../sdk";

/** What to look at when an agent server refuses or does not answer. */
export function adviceFor(error: RequestError): string | undefined {
  if (error instanceof Unauthorized || error instanceof Forbidden)
    return "check apiKey, which is the agent server's own key and not the control plane's";
  if (error instanceof TimeoutError)
    return "the agent server is slow or out of reach: try again a little later";
  if (error instanceof ConnectionError)
    return "check that the agent server is running and deploymentUrl is right, then run the same command again";
  if (error instanceof RateLimited || error instanceof ServerError)
    return "try again a little later";
  return undefined;
}
