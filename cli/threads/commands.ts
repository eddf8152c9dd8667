import { AgentServer } from "../../sdk";
import { urlOf } from "../../shared/agent-server-url";
import { agentKey, SET_AGENT_KEY } from "../../settings/agent-key";
import { messageOf } from "../../shared/errors";
import { textOf } from "../../shared/records";
import { askAgents } from "../agent-server";
import type { ConnectionOptions } from "../connection";
import { type Context, withControlPlane } from "../control-plane";
import { age } from "../deployments/list";
import { findDeployment } from "../deployments/find";
import { CommandFailure } from "../failure";
import { tableLines } from "../terminal/table";
import { note, printJson, printLine, type Terminal } from "../terminal/terminal";
import { targetAt } from "./placement";
import {
  copyAll,
  exported,
  type Filter,
  findThreads,
  originalsAt,
  originalsIn,
  type Outcome,
  STANDARD,
  writeExport,
} from "./transfer";

/** Options of the commands below `threads`. */
export interface ThreadsOptions extends ConnectionOptions, Filter {
  /** A deployment's whole name or id, or the URL of an agent server. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** `-` for standard output or input. */
  readonly file?: string | undefined;
  readonly unfinished: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** The agent servers that a command names. */
type Servers = Readonly<Record<"from" | "to", () => AgentServer>>;

/** A create with all supersteps of a long thread takes long. */
const REQUEST_TIMEOUT_SECONDS = 300;

const COLUMNS = [
  { title: "ID" },
  { title: "STATUS" },
  { title: "GRAPH", shortest: 8 },
  { title: "UPDATED" },
];

/** Prints the threads of an agent server, oldest first. */
export function listThreads(options: ThreadsOptions, terminal: Terminal): Promise<void> {
  return withServers(options, terminal, async ({ from }) => {
    const threads = await Array.fromAsync(findThreads(from(), options));
    if (options.json) return threads.forEach((thread) => printJson(terminal, thread));
    if (threads.length === 0) return note(terminal, "no threads");
    const rows = threads.map(({ thread_id, status = "", metadata = {}, updated_at = "" }) => [
      { text: thread_id },
      { text: status },
      { text: textOf(metadata["graph_id"]) ?? "–" },
      { text: age(updated_at, new Date()) },
    ]);
    terminal.out(`${tableLines(terminal, COLUMNS, rows).join("\n")}\n`);
  });
}

/** Copies threads from an agent server, or from an export, to another one. Throws `CommandFailure` where one failed. */
export function copyThreads(options: ThreadsOptions, terminal: Terminal): Promise<void> {
  return withServers(options, terminal, async ({ from, to }) => {
    const { file } = options;
    const originals = file === undefined ? originalsAt(from(), options) : originalsIn(file);
    const target = await targetAt(to());
    await reporting(options, terminal, (report) => copyAll(originals, target, options, report));
  });
}

/** Writes threads of an agent server to a file, or to standard output. Throws `CommandFailure` where one failed. */
export function exportThreads(options: ThreadsOptions, terminal: Terminal): Promise<void> {
  const { file = STANDARD } = options;
  const isPrinted = file === STANDARD;
  const beside = isPrinted ? { ...terminal, out: terminal.err } : terminal;
  return withServers(options, terminal, ({ from }) =>
    reporting(options, beside, async (report) => {
      const conversations = exported(originalsAt(from(), options), report);
      if (!isPrinted) return writeExport(conversations, file);
      for await (const conversation of conversations) printJson(terminal, conversation);
    }),
  );
}

/** Prints each thread that has something to be said of it, then a summary. */
async function reporting(
  { to, json, dryRun }: ThreadsOptions,
  terminal: Terminal,
  work: (report: (outcome: Outcome) => void) => Promise<void>,
): Promise<void> {
  const counts: Partial<Record<Outcome["outcome"], number>> = {};
  const summary = () =>
    Object.entries(counts)
      .map(([outcome, count]) => `${outcome} ${count.toLocaleString("en-US")}`)
      .join(", ") || "no threads";
  await work(({ threadId, outcome, note: why }) => {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (json) printJson(terminal, { threadId, outcome, note: why });
    else if (why !== undefined) printLine(terminal, `${outcome} ${threadId}: ${why}`);
    terminal.progress(summary());
  }).finally(() => terminal.progress(""));
  if (json) printJson(terminal, { counts, dryRun });
  else printLine(terminal, dryRun ? `would be: ${summary()}` : summary());
  const again = to === undefined ? "export again" : "run the command again: it repeats no other";
  if (counts.failed !== undefined)
    throw new CommandFailure(`${counts.failed} of the threads failed; fix the causes and ${again}`);
}

/** Finds the agent servers by their URLs, or as deployments of a control plane. */
async function withServers(
  options: ThreadsOptions,
  terminal: Terminal,
  work: (servers: Servers) => Promise<void>,
): Promise<void> {
  const { from, to } = options;
  if (from !== undefined && from === to)
    throw new CommandFailure("--from and --to name the same agent server");
  const run = async (context?: Context) => {
    const urls = [await addressOf(from, context), await addressOf(to, context)];
    const servers = { from: () => serverAt(urls[0], "from"), to: () => serverAt(urls[1], "to") };
    await askAgents(() => work(servers), SET_KEYS);
  };
  const areUrls = [from, to].every((given) => given === undefined || isUrl(given));
  return areUrls ? run() : withControlPlane(options, terminal, run);
}

const SET_KEYS = `${SET_AGENT_KEY}, or AGENTSERVER_FROM_API_KEY and AGENTSERVER_TO_API_KEY where they differ`;

function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text);
}

async function addressOf(given = "", context?: Context): Promise<string> {
  if (context === undefined || given === "" || isUrl(given)) return given;
  const found = urlOf(await findDeployment(context, given, "whole name"));
  if (found === null) throw new CommandFailure(`deployment '${given}' has no URL yet`);
  return found;
}

function serverAt(url = "", side: "from" | "to"): AgentServer {
  try {
    const requestTimeoutSeconds = REQUEST_TIMEOUT_SECONDS;
    return new AgentServer({ url, apiKey: agentKey(side), requestTimeoutSeconds, onMismatch });
  } catch (error) {
    throw new CommandFailure(`--${side}: ${messageOf(error)}`, { cause: error });
  }
}

/** A graph may keep a list or a text as its state: read as absent, it would be copied as nothing. */
function onMismatch(member: string): void {
  if (member.startsWith("values:"))
    throw new Error(`only a state that is an object can be copied or exported: ${member}`);
}
