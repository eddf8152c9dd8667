import { parseArgs } from "node:util";
import { z } from "zod";
import { DIALECTS } from "../sdk/dialect";
import type { LocalPlatformOptions } from "./index";

/** What `--help` says. */
export const USAGE = `Usage: pulumi-agentserver <command>

Commands:
  local                 start the local platform: a control plane and agent servers on this machine

Options of local:
  --port PORT           port of a new data folder, 0 for a free one; kept afterwards (8123)
  --data-dir FOLDER     where everything is kept (.agentserver)
  --driver NAME         process runs agent servers, simulated only lets time pass (process)
  --stage-seconds S     what a simulated stage takes (0.2)
  --dialect NAME        names on the wire: agentserver or langsmith (agentserver)
  --hosting NAME        cloud or self-hosted: offer only the sources of that hosting model
  --max-servers N       most agent servers that run at a time (10)
  --listen ADDRESS      address to listen on (127.0.0.1); another than loopback needs --agent-auth
  --agent-auth          ask for the workspace's key at agent URLs too
  --json                print one line of JSON instead of words

Options:
  --help                print this
  --version             print the version`;

/** What the command line asks for. */
export type Command =
  | { readonly name: "help" | "version" }
  | { readonly name: "invalid"; readonly problems: readonly string[] }
  | { readonly name: "local"; readonly options: LocalPlatformOptions; readonly json: boolean };

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

const FLAGS = {
  port: text,
  "data-dir": text,
  driver: text,
  "stage-seconds": text,
  dialect: text,
  hosting: text,
  "max-servers": text,
  listen: text,
  "agent-auth": flag,
  json: flag,
  help: flag,
  version: flag,
} as const;

const number = (words: string, schema: z.ZodNumber) =>
  z
    .string(words)
    .refine((given) => schema.safeParse(given.trim() === "" ? NaN : Number(given)).success, words)
    .transform(Number)
    .optional();
const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be ${values.join(" or ")}`).optional();

const Flags = z
  .object({
    port: number("must be a port, 0 to 65535", z.int().min(0).max(65535)),
    "data-dir": z.string("must name a folder").min(1, "must name a folder").optional(),
    driver: oneOf(["process", "simulated"]),
    "stage-seconds": number("must be a number of seconds, 0 or more", z.number().min(0)),
    dialect: oneOf(DIALECTS),
    hosting: oneOf(["cloud", "self-hosted"]),
    "max-servers": number("must be a whole number from 1", z.int().min(1)),
    listen: z.string("must be an address").min(1, "must be an address").optional(),
    "agent-auth": z.boolean("takes no value").default(false),
    json: z.boolean("takes no value").default(false),
  })
  .transform((flags) => ({
    json: flags.json,
    options: {
      port: flags.port,
      dataDir: flags["data-dir"],
      driver: flags.driver,
      stageSeconds: flags["stage-seconds"],
      dialect: flags.dialect,
      hosting: flags.hosting,
      maxServers: flags["max-servers"],
      listen: flags.listen,
      agentAuth: flags["agent-auth"],
    },
  }));

/** Reads the command line (without `node` and the script); every problem is told at once. */
export function readArguments(args: readonly string[]): Command {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: FLAGS,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  if (values["help"]) return { name: "help" };
  if (values["version"]) return { name: "version" };
  const read = Flags.safeParse(values);
  const problems = [
    ...commandProblems(positionals),
    ...optionProblems(tokens.filter((token) => token.kind === "option")),
    ...(read.error?.issues.map((issue) => `--${issue.path.join(".")} ${issue.message}`) ?? []),
  ];
  return read.success && problems.length === 0
    ? { name: "local", ...read.data }
    : { name: "invalid", problems };
}

function optionProblems(options: readonly { name: string; rawName: string }[]): string[] {
  const unknown = options.filter(({ name }) => !Object.hasOwn(FLAGS, name));
  const repeated = options.filter(
    ({ name }, index) => options.findIndex((other) => other.name === name) < index,
  );
  return [
    ...unknown.map(({ rawName }) => `${rawName} is not an option of ours`),
    ...repeated.map(({ rawName }) => `${rawName} is given more than once`),
  ];
}

function commandProblems([command, ...more]: readonly string[]): string[] {
  if (command === undefined) return ["a command is needed: local"];
  if (command !== "local") return [`there is no command '${command}', only local`];
  return more.map((word) => `'${word}' is one word too many`);
}
