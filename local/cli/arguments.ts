import { parseArgs } from "node:util";
import type { z } from "zod";
import { FLAGS, LocalFlags, LogsFlags } from "./flags";
import type { LogsOptions } from "./logs";
import type { LocalPlatformOptions } from "..";

/** What `--help` says. */
export const USAGE = `Usage: pulumi-agentserver <command>

Commands:
  local                 start the local platform: a control plane and agent servers on this machine
  logs NAME             print the logs of a deployment's newest revision; NAME may be its id

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
  --allow-origin URL    let pages of this origin, such as http://localhost:3000, ask agents (repeatable)
  --json                print one line of JSON instead of words

Options of logs:
  --data-dir FOLDER     that of the local platform, which has to run (.agentserver)
  --revision ID         another revision than the newest
  --type NAME           build or deploy: one of the two logs (both)

Options:
  --help                print this
  --version             print the version`;

/** What the command line asks for. */
export type Command =
  | { readonly name: "help" | "version" }
  | { readonly name: "invalid"; readonly problems: readonly string[] }
  | { readonly name: "local"; readonly options: LocalPlatformOptions; readonly json: boolean }
  | { readonly name: "logs"; readonly options: LogsOptions };

const COMMON_FLAGS = { help: { type: "boolean" }, version: { type: "boolean" } } as const;

/** What was given beside the command's name. */
interface Given {
  readonly words: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly options: readonly { readonly name: string; readonly rawName: string }[];
}

/** Reads the command line (without `node` and the script); every problem is told at once. */
export function readArguments(args: readonly string[]): Command {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: { ...FLAGS.local, ...FLAGS.logs, ...COMMON_FLAGS },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  if (values["help"]) return { name: "help" };
  if (values["version"]) return { name: "version" };
  const [name, ...words] = positionals;
  const given = { words, values, options: tokens.filter((token) => token.kind === "option") };
  if (name === "local") return readLocal(given);
  if (name === "logs") return readLogs(given);
  const problem =
    name === undefined
      ? "a command is needed: local or logs"
      : `there is no command '${name}', only local and logs`;
  return { name: "invalid", problems: [problem] };
}

function readLocal({ words, values, options }: Given): Command {
  const read = LocalFlags.safeParse(values);
  const problems = problemsOf("local", words, options, read.error);
  return read.success && problems.length === 0
    ? { name: "local", ...read.data }
    : { name: "invalid", problems };
}

function readLogs({ words, values, options }: Given): Command {
  const [deployment, ...more] = words;
  const read = LogsFlags.safeParse(values);
  const problems = problemsOf("logs", more, options, read.error);
  if (deployment === undefined) problems.unshift("logs needs the name of a deployment");
  return read.success && deployment !== undefined && problems.length === 0
    ? { name: "logs", options: { ...read.data, deployment } }
    : { name: "invalid", problems };
}

function problemsOf(
  command: keyof typeof FLAGS,
  tooMany: Given["words"],
  options: Given["options"],
  error: z.ZodError | undefined,
): string[] {
  const own = { ...FLAGS[command], ...COMMON_FLAGS };
  const unknown = options.filter(({ name }) => !Object.hasOwn(own, name));
  const repeated = options.filter(
    ({ name }, index) =>
      name !== "allow-origin" && options.findIndex((other) => other.name === name) < index,
  );
  return [
    ...tooMany.map((word) => `'${word}' is one word too many`),
    ...unknown.map(({ rawName }) => `${rawName} is not an option of ${command}`),
    ...repeated.map(({ rawName }) => `${rawName} is given more than once`),
    ...(error?.issues.map((issue) => `--${String(issue.path[0])} ${issue.message}`) ?? []),
  ];
}
