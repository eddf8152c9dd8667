import { AgentServer, type Clock, ConnectionError, ServerError, type StatusError } from "../../sdk";
import type { Context } from "../process";
import { type Props, textOf } from "../props";
import { controlPlaneOf } from "../settings";

/** The agent server that a thread's properties name. */
export function serverOf(props: Props, clock: Clock): AgentServer {
  return new AgentServer({ url: addressOf(props), apiKey: textOf(props["apiKey"]), clock });
}

export function addressOf(props: Props): string {
  return textOf(props["deploymentUrl"]) ?? "";
}

/**
 * Whether an agent server that does not answer belongs to no deployment any more: its address is dead, or what leads to
 * it fails, and the control plane of the settings has no deployment there. Without usable settings nobody can tell.
 */
export async function isAbandoned(
  error: unknown,
  props: Props,
  { settings }: Context,
): Promise<boolean> {
  if (!isSilence(error)) return false;
  try {
    const address = withoutSlash(addressOf(props));
    for await (const { url, source_config } of controlPlaneOf(settings()).deployments.list())
      if ([url, source_config.custom_url].some((known) => withoutSlash(known) === address))
        return false;
    return true;
  } catch {
    return false;
  }
}

/** No answer of an agent server: the connection fails, or a gateway in front of it does. */
function isSilence(error: unknown): error is ConnectionError | StatusError {
  return error instanceof ConnectionError || error instanceof ServerError;
}

function withoutSlash(url: string | null | undefined): string | undefined {
  return url?.replace(/\/+$/, "");
}
