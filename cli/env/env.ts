import { variableOf } from "../../settings/source";
import { announce, type ConnectionOptions, findConnection } from "../connection";
import { configure, headersText, insecureText } from "../pulumi";
import { COMMANDS, type Shell } from "./shells";
import { printJson, type Terminal } from "../terminal/terminal";

/** Options of the command `env`. */
export interface EnvOptions extends ConnectionOptions {
  /** @default "sh" */
  readonly shell?: Shell | undefined;
  /** The stack whose configuration is set, in place of printing. */
  readonly pulumi?: string | undefined;
  readonly json: boolean;
}

/** The settings that a shell's environment holds. */
const EXPORTED = [
  "baseUrl",
  "apiKey",
  "bearerToken",
  "headers",
  "workspaceId",
  "dialect",
  "allowInsecureHttp",
] as const;

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
    const names = await configure(settings, { name: stack });
    terminal.err(`set ${names.join(", ")} in the configuration of stack ${stack}\n`);
    if (json) printJson(terminal, { stack, settings: names });
    return;
  }
  const texts = {
    ...settings,
    headers: headersText(settings),
    allowInsecureHttp: insecureText(settings),
  };
  const values = EXPORTED.map((name) => [variableOf(name) ?? name, texts[name]] as const);
  if (json) {
    const given = values.filter(([, value]) => value !== undefined);
    return printJson(terminal, Object.fromEntries(given));
  }
  const { set, unset } = COMMANDS[shell];
  for (const [name, value] of values)
    terminal.out(`${value === undefined ? unset(name) : set(name, value)}\n`);
}
