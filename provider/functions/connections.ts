import { AgentServer, type AgentServerOptions, type ControlPlane, NotFound } from "../../sdk";
import type { RequestError } from "../../sdk";
import { messageOf } from "../../shared/errors";
import { textOf } from "../../shared/records";
import { readSettings, requestTimeoutIn, type Settings } from "../../settings/settings";
import { agentServerAdvice, controlPlaneAdvice } from "../resource/advice";
import { formatError, type Task } from "../resource/errors";
import type { Context } from "../resource/context";
import { controlPlaneOf } from "../resource/operation";
import type { Props } from "../arguments/props";
import { CallError } from "./call-error";

interface Connection<Client> {
  readonly client: Client;
  /** Formats an error of the client: the server's reason, and what to do. */
  readonly explain: (error: RequestError, task: Task | undefined) => string;
}

/** A control plane and the settings that name it. */
interface ControlPlaneConnection extends Connection<ControlPlane> {
  readonly settings: Settings;
}

/** The client that a function calls, by service. */
export interface Connections {
  readonly "control plane": ControlPlaneConnection;
  readonly "agent server": Connection<AgentServer>;
}

/** The process that a function runs in: the program's own, or the native provider's. */
export type Caller = Pick<Context, "processCache" | "clock">;

/** Connects to a service, with `access` (settings, or a key) and the arguments. Throws a `CallError` where it cannot. */
type Connect<Service extends keyof Connections> = (
  caller: Caller,
  access: Props,
  args: Props,
) => Connections[Service];

export const connect: { readonly [Service in keyof Connections]: Connect<Service> } = {
  "control plane": connectToControlPlane,
  "agent server": connectToAgentServer,
};

function connectToControlPlane(caller: Caller, config: Props): ControlPlaneConnection {
  const settings = settingsIn(config);
  const { workspaceId, baseUrl } = settings;
  return {
    client: controlPlaneOf(caller, settings),
    settings,
    explain: (error, task) =>
      withPlace(
        error,
        formatError(error, controlPlaneAdvice(settings), task),
        `in workspace ${workspaceId} of ${baseUrl}`,
      ),
  };
}

function settingsIn(config: Props): Settings {
  const strings = Object.entries(config).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  try {
    return readSettings(Object.fromEntries(strings));
  } catch (error) {
    throw new CallError(messageOf(error), { cause: error });
  }
}

/** The key is the agent server's own: the control plane's, a setting beside it, is never sent to it. */
function connectToAgentServer(
  { clock }: Caller,
  { apiKey, ...config }: Props,
  { deploymentUrl }: Props,
): Connection<AgentServer> {
  const url = textOf(deploymentUrl) ?? "";
  const requestTimeoutSeconds = requestTimeoutIn(() => settingsIn(config));
  return {
    client: agentServerAt({ url, apiKey: textOf(apiKey), clock, requestTimeoutSeconds }),
    explain: (error) => withPlace(error, formatError(error, agentServerAdvice()), `at ${url}`),
  };
}

function agentServerAt(options: AgentServerOptions): AgentServer {
  try {
    return new AgentServer(options);
  } catch (error) {
    const message = `connect to the agent server at ${options.url}: ${messageOf(error)}`;
    throw new CallError(message, { cause: error });
  }
}

/** Most often what is not found is elsewhere: in another workspace, or on another server. */
function withPlace(error: RequestError, message: string, place: string): string {
  return error instanceof NotFound ? `${message}; it was looked for ${place}` : message;
}
