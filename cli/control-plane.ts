import {
  ConnectionError,
  ControlPlane,
  InvalidResponseError,
  NotOfferedError,
  RequestError,
  Unauthorized,
} from "../sdk";
import { npxCommand } from "../local/platform/identity-file";
import { settingsAdvice } from "../settings/advice";
import type { Settings } from "../settings/settings";
import { type Clock, systemClock } from "../shared/clock";
import { isLoopback } from "../shared/net";
import { announce, type Connection, type ConnectionOptions, findConnection } from "./connection";
import { CommandFailure } from "./failure";
import { deploymentsIn, pulumiOutput, type StackDeployment } from "./stack";
import { note, type Terminal } from "./terminal/terminal";

/** The control plane of a command: its client and settings. */
export interface Context {
  readonly client: ControlPlane;
  readonly settings: Settings;
  readonly terminal: Terminal;
  readonly options: ConnectionOptions;
  /** Reads the selected stack, once. */
  readonly ofStack: () => Promise<StackReading>;
  /** The data folder of a local platform that was found by it. */
  readonly dataDir?: string | undefined;
}

/** The deployments of the selected stack; none where there is no stack, or Pulumi cannot read it. */
interface StackReading {
  readonly deployments: readonly StackDeployment[];
  /** Pulumi's reason why it cannot. */
  readonly problem?: string | undefined;
}

/**
 * The clock of what need not wait for a server to come back: a retry follows at once, unless a response has `Retry-After`.
 * On this machine, a platform that refuses a connection does not run.
 */
export const WITHOUT_BACK_OFF: Clock = { ...systemClock, random: () => 0 };

/**
 * Runs the work of a command on its control plane, which the first line on standard error names. Throws `CommandFailure`
 * for every request that fails.
 */
export async function withControlPlane(
  options: ConnectionOptions,
  terminal: Terminal,
  work: (context: Context) => Promise<void>,
): Promise<void> {
  const connection = findConnection(options);
  const { settings } = connection;
  announce(connection, terminal);
  const isHere = isLoopback(new URL(settings.baseUrl).hostname);
  const client = new ControlPlane({
    ...settings,
    program: "command line",
    ...(isHere && { clock: WITHOUT_BACK_OFF }),
  });
  let reading: Promise<StackReading> | undefined;
  const ofStack = () => (reading ??= readStack(options.projectFolder, terminal));
  try {
    await work({ client, settings, terminal, options, dataDir: connection.dataDir, ofStack });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new CommandFailure(explain(error, connection), { cause: error });
  }
}

/** Pulumi's words for who has selected no stack either, as in a pipeline. */
const NOT_LOGGED_IN = "PULUMI_ACCESS_TOKEN must be set";

async function readStack(folder: string | undefined, terminal: Terminal): Promise<StackReading> {
  const { output, problem } = await pulumiOutput(folder, "stack", "export");
  if (problem?.startsWith(NOT_LOGGED_IN)) return { deployments: [] };
  if (problem !== undefined) note(terminal, `the selected stack cannot be read: ${problem}`);
  return { deployments: output === undefined ? [] : deploymentsIn(output), problem };
}

/** What to do about an error: of a local platform that was found by its data folder, else about the settings. */
export function adviceOf(
  error: RequestError,
  { settings, origin, dataDir }: Connection,
): string | undefined {
  if (dataDir === undefined) return settingsAdvice(error, settings);
  if (isForeign(error)) return `another program has the port of the local platform of ${origin}`;
  if (error instanceof ConnectionError) return `start it with \`${npxCommand("local", dataDir)}\``;
  if (error instanceof Unauthorized)
    return `the key of ${origin} is for another local platform than the one that runs there`;
  return settingsAdvice(error, settings);
}

/** A platform offers every endpoint, and its responses are those of the contract. */
function isForeign(error: RequestError): boolean {
  return error instanceof NotOfferedError || error instanceof InvalidResponseError;
}

function explain(error: RequestError, connection: Connection): string {
  const { settings, origin, dataDir } = connection;
  if (isForeign(error) && dataDir !== undefined)
    return `${settings.baseUrl} is not the local platform of ${origin}: another program has its port; ${error.message}`;
  if (error instanceof NotOfferedError)
    return `not offered by this control plane: ${error.message}`;
  const what =
    error instanceof ConnectionError && dataDir !== undefined
      ? `cannot connect to the local platform at ${settings.baseUrl}`
      : error.message;
  return [what, adviceOf(error, connection) ?? []].flat().join("; ");
}
