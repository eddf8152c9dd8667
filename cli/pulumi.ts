import { spawn } from "node:child_process";
import { once } from "node:events";
import { messageOf } from "../shared/errors";
import { SECRETS, NAMESPACE } from "../settings/source";
import type { Settings } from "../settings/settings";
import { CommandFailure } from "./failure";
import { pulumiOutput, resourcesIn } from "./stack";

/** A stack of the Pulumi project in a folder. */
export interface Stack {
  readonly name: string;
  /** @default the working folder */
  readonly folder?: string;
}

/**
 * Sets the settings in the configuration of a stack, and removes those that it must not have. Resolves to their names. What
 * ends halfway leaves no key beside the URL of another host: keys are removed first and set last.
 */
export async function configure(settings: Settings, stack: Stack): Promise<string[]> {
  const all = configurationOf(settings);
  const removed = all.filter(([name, value]) => value === undefined || SECRETS.includes(name));
  const keys = removed.map(([name]) => NAMESPACE + name);
  await pulumi(["config", "rm-all", "--stack", stack.name, ...keys], stack);
  const given = all.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  for (const { name, value } of given) {
    const visibility = SECRETS.includes(name) ? "secret" : "plaintext";
    await setValue(stack, visibility, NAMESPACE + name, value);
  }
  return given.map(({ name }) => NAMESPACE + name);
}

/** The settings that a stack's configuration has to hold, and those that must not be left in it. */
function configurationOf(settings: Settings): [name: string, value: string | undefined][] {
  const { baseUrl, workspaceId, dialect, apiKey, bearerToken } = settings;
  return [
    ["baseUrl", baseUrl],
    ["workspaceId", workspaceId],
    ["dialect", dialect === "agentserver" ? undefined : dialect],
    ["allowInsecureHttp", insecureText(settings)],
    // The base URL has the prefix of self-hosted installations.
    ["selfHosted", undefined],
    ["apiKey", apiKey],
    ["bearerToken", bearerToken],
    ["headers", headersText(settings)],
  ];
}

/** The setting `headers` as it is set. */
export function headersText({ headers }: Settings): string | undefined {
  return headers && JSON.stringify(headers);
}

/** The setting `allowInsecureHttp` as it is set, for a URL that may need it. */
export function insecureText({ allowInsecureHttp, baseUrl }: Settings): string | undefined {
  return allowInsecureHttp && baseUrl.startsWith("http:") ? "true" : undefined;
}

/** Sets a value in the configuration of a stack. Pulumi removes one newline from the end of what it reads. */
export async function setValue(
  stack: Stack,
  visibility: "secret" | "plaintext",
  key: string,
  value: string,
): Promise<void> {
  const args = ["config", "set", "--stack", stack.name, `--${visibility}`, key];
  await pulumi(args, stack, `${value}\n`);
}

/** Selects a stack, which is created where there is none. Throws `CommandFailure` where it has resources. */
export async function createStack(stack: Stack): Promise<void> {
  await pulumi(["stack", "select", "--create", stack.name], stack);
  const { output } = await pulumiOutput(stack.folder, "stack", "export", "--stack", stack.name);
  if (output !== undefined && resourcesIn(output).length > 0)
    throw new CommandFailure(
      `stack ${stack.name} has resources already, which this program would delete: name another stack, or a folder of another name, which the project takes`,
    );
}

/** Runs Pulumi. A value goes to its standard input: others on the machine see the arguments of a process. */
async function pulumi(args: readonly string[], { folder }: Stack, input = ""): Promise<void> {
  const child = spawn("pulumi", args, { cwd: folder, stdio: ["pipe", "ignore", "pipe"] });
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
