import { optionOf, SECRETS, variableOf } from "../../settings/source";
import { secretsIn } from "../../sdk/control-plane";
import { textOf } from "../../shared/records";
import { redactor } from "../../shared/redact";
import { keyOfAgents } from "../agent-server";
import { bad, type Check, good } from "./checks";
import { type Connection, type ConnectionOptions, findConnection } from "../connection";
import { CommandFailure } from "../failure";
import { installationChecks } from "./installation";
import { serviceChecks } from "./service";
import { type Colour, coloured, printJson, printLine, type Terminal } from "../terminal/terminal";

/** Options of the command `doctor`. */
export interface DoctorOptions extends ConnectionOptions {
  readonly json: boolean;
}

/** Checks what a deployment needs, and prints a line for each. Changes nothing. Fails where anything is bad. */
export async function diagnose(options: DoctorOptions, terminal: Terminal): Promise<void> {
  const installed = await installationChecks(process.cwd());
  const { checks, secrets } = await controlPlaneChecks(options);
  const redact = redactor(secrets);
  const all = [...installed, ...checks].map(({ text, ...check }) => ({
    ...check,
    text: redact(text),
  }));
  if (options.json) printJson(terminal, { checks: all });
  else for (const check of all) printCheck(terminal, check);
  const failed = all.filter(({ state }) => state === "bad").length;
  if (failed > 0) throw new CommandFailure(`checks that are bad: ${failed} of ${all.length}`);
}

async function controlPlaneChecks(options: ConnectionOptions) {
  let connection: Connection;
  let agentKey: string | undefined;
  try {
    connection = findConnection(options);
    agentKey = keyOfAgents();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const check = bad("settings", error.message, "docs/settings.md lists all of them");
    return { checks: [check], secrets: [] };
  }
  const { settings } = connection;
  const secrets = [...secretsIn(settings), agentKey ?? []].flat();
  const checks = [
    ...settingChecks(options, connection),
    ...(await serviceChecks(connection, options)),
  ];
  return { checks, secrets };
}

const SHOWN = ["baseUrl", "workspaceId", "dialect", "apiKey", "bearerToken", "headers"] as const;

/** Each setting with its origin; of a credential only that it is set. */
function settingChecks(options: ConnectionOptions, connection: Connection): Check[] {
  const { settings, origin, dataDir } = connection;
  const originOf = (name: (typeof SHOWN)[number]): string => {
    const isOption = new Map(Object.entries(options)).get(name) !== undefined;
    if (isOption) return `option ${optionOf(name)}`;
    if (dataDir !== undefined) return origin;
    const variable = variableOf(name);
    return variable !== undefined && process.env[variable] ? variable : "default";
  };
  return SHOWN.filter((name) => settings[name] !== undefined).map((name) =>
    good(
      `setting ${name}`,
      `${(SECRETS.includes(name) ? "" : textOf(settings[name])) || "set"} (${originOf(name)})`,
    ),
  );
}

const MARKS: Readonly<Record<Check["state"], readonly [mark: string, colour: Colour]>> = {
  good: ["✓", "green"],
  bad: ["✗", "red"],
  unknown: ["?", "yellow"],
};

function printCheck(terminal: Terminal, { subject, state, text, advice }: Check): void {
  const [mark, colour] = MARKS[state];
  terminal.out(`${coloured(terminal, colour, mark)} `);
  printLine(terminal, `${subject}: ${text}`);
  if (advice !== undefined) printLine(terminal, `    ${advice}`);
}
