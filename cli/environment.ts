import { spawn } from "node:child_process";
import { once } from "node:events";
import { messageOf } from "../shared/errors";
import { CREDENTIALS, NAMESPACE, variableOf } from "../settings/source";
import type { Settings } from "../settings/settings";
import { announce, type ConnectionOptions, findConnection } from "./connection";
import { CommandFailure } from "./failure";
import { COMMANDS, type Shell } from "./shells";
import { printJson, type Terminal } from "./terminal";

/** Options of the command `env`. */
export interface EnvOptions extends ConnectionOptions {
  /** @default "sh" */
  readonly shell?: Shell | undefined;
  /** The stack whose configuration is set, in place of printing. */
  readonly pulumi?: string | undefined;
  readonly json: boolean;
}

/** The settings that a shell's environment holds. */
const EXPORTED = ["baseUrl", "apiKey", "bearerToken", "workspaceId", "dialect"] as const;

/**
 * Prints the commands that put the settings into a shell's environment, or sets the configuration of a stack. A local
 * platform in the working folder counts first: what the environment holds need not be put there.
 */
export async function handOn(options: EnvOptions, terminal: Terminal): Promise<void> {
  const { shell = "sh", pulumi: stack, json, ...where } = options;
  const connection = findConnection(where, { platformFirst: true });
  announce(connection, terminal);
  const { settings } = connection;
  if (stack !== undefined) {
    await configure(settings, stack, terminal);
    if (json) printJson(terminal, { stack, settings: namesOf(settings) });
    return;
  }
  const values = EXPORTED.map((name) => [variableOf(name) ?? name, settings[name]] as const);
  if (json) {
    const given = values.filter(([, value]) => value !== undefined);
    return printJson(terminal, Object.fromEntries(given));
  }
  const { set, unset } = COMMANDS[shell];
  for (const [name, value] of values)
    terminal.out(`${value === undefined ? unset(name) : set(name, value)}\n`);
}

/** The settings that a stack's configuration has to hold, and those that must not be left in it. */
function configurationOf(settings: Settings): [name: string, value: string | undefined][] {
  const { baseUrl, workspaceId, dialect, apiKey, bearerToken, allowInsecureHttp } = settings;
  return [
    ["baseUrl", baseUrl],
    ["workspaceId", workspaceId],
    ["dialect", dialect === "agentserver" ? undefined : dialect],
    ["allowInsecureHttp", allowInsecureHttp && baseUrl.startsWith("http:") ? "true" : undefined],
    // The base URL has the prefix of self-hosted installations.
    ["selfHosted", undefined],
    ["apiKey", apiKey],
    ["bearerToken", bearerToken],
  ];
}

function namesOf(settings: Settings): string[] {
  return configurationOf(settings)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => NAMESPACE + name);
}

async function configure(settings: Settings, stack: string, terminal: Terminal): Promise<void> {
  for (const [name, value] of configurationOf(settings)) {
    const key = NAMESPACE + name;
    const visibility = CREDENTIALS.includes(name) ? "--secret" : "--plaintext";
    if (value === undefined) await pulumi(["config", "rm", "--stack", stack, key]);
    else await pulumi(["config", "set", "--stack", stack, visibility, key], value);
  }
  terminal.err(`set ${namesOf(settings).join(", ")} in the configuration of stack ${stack}\n`);
}

/** Runs Pulumi. A value goes to its standard input: others on the machine see the arguments of a process. */
async function pulumi(args: readonly string[], input = ""): Promise<void> {
  const child = spawn("pulumi", args, { stdio: ["pipe", "ignore", "pipe"] });
  let reason = "";
  child.stderr.on("data", (text: Buffer) => (reason += text.toString()));
  child.stdin.on("error", () => {}); // it may end without reading
  child.stdin.end(input);
  try {
    const [exitCode] = await once(child, "close");
    if (exitCode === 0) return;
  } catch (error) {
    throw new CommandFailure(
      `cannot run pulumi: ${messageOf(error)}; install the Pulumi CLI, or set the configuration by hand`,
      { cause: error },
    );
  }
  throw new CommandFailure(`\`pulumi ${args.join(" ")}\` failed: ${reason.trim()}`);
}
