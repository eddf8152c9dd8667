import { AgentServer, Forbidden, RequestError, Unauthorized } from "../../sdk";
import { agentKey, SET_AGENT_KEY } from "../../settings/agent-key";
import { printable } from "../../shared/printable";
import { textOf } from "../../shared/records";
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
  exportAll,
  type Filter,
  findThreads,
  originalsAt,
  originalsIn,
  type Outcome,
} from "./transfer";

/** Options of the commands below `threads`. */
export interface ThreadsOptions extends ConnectionOptions, Filter {
  /** A deployment's whole name or id, or the URL of an agent server. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly file?: string | undefined;
  readonly unfinished: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** The agent servers that a command names. */
type Servers = Partial<Record<"from" | "to", AgentServer>>;

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
    const rows: string[][] = [];
    for await (const thread of findThreads(need(from), options)) {
      const { thread_id, status = "", metadata = {}, updated_at = "" } = thread;
      if (options.json) printJson(terminal, thread);
      else
        rows.push([
          thread_id,
          status,
          textOf(metadata["graph_id"]) ?? "–",
          age(updated_at, new Date()),
        ]);
    }
    if (options.json) return;
    if (rows.length === 0) return note(terminal, "no threads");
    const cells = rows.map((row) => row.map((text) => ({ text })));
    terminal.out(`${tableLines(terminal, COLUMNS, cells).join("\n")}\n`);
  });
}

/** Copies threads from an agent server, or from an export, to another one. Throws `CommandFailure` where one failed. */
export function copyThreads(options: ThreadsOptions, terminal: Terminal): Promise<void> {
  return withServers(options, terminal, async ({ from, to }) => {
    const { file } = options;
    const originals = file === undefined ? originalsAt(need(from), options) : originalsIn(file);
    const target = await targetAt(need(to));
    await reporting(options, terminal, (report) => copyAll(originals, target, options, report));
  });
}

/** Writes threads of an agent server to a file. Throws `CommandFailure` where one failed. */
export function exportThreads(options: ThreadsOptions, terminal: Terminal): Promise<void> {
  return withServers(options, terminal, ({ from }) =>
    reporting(options, terminal, (report) =>
      exportAll(originalsAt(need(from), options), options.file ?? "", report),
    ),
  );
}

/** Prints each thread that has something to be said of it, then a summary. */
async function reporting(
  { json, dryRun }: ThreadsOptions,
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
  });
  terminal.progress("");
  if (json) printJson(terminal, { counts, dryRun });
  else printLine(terminal, dryRun ? `would be: ${summary()}` : summary());
  if (counts.failed !== undefined)
    throw new CommandFailure(
      `${counts.failed} of the threads failed; fix the causes and run the command again: it repeats no other`,
    );
}

/** Finds the agent servers by their URLs, or as deployments of a control plane. */
async function withServers(
  options: ThreadsOptions,
  terminal: Terminal,
  work: (servers: Servers) => Promise<void>,
): Promise<void> {
  const sides = (["from", "to"] as const).filter((side) => options[side] !== undefined);
  const run = async (context?: Context) => {
    const servers = await Promise.all(
      sides.map(
        async (side) => [side, await serverOf(options[side] ?? "", side, context)] as const,
      ),
    );
    await work(Object.fromEntries(servers)).catch((error: unknown) => {
      if (error instanceof Unauthorized || error instanceof Forbidden)
        throw new CommandFailure(
          `${error.message}; ${SET_AGENT_KEY}, or AGENTSERVER_FROM_API_KEY and AGENTSERVER_TO_API_KEY where they differ`,
          { cause: error },
        );
      throw error instanceof RequestError
        ? new CommandFailure(error.message, { cause: error })
        : error;
    });
  };
  if (options.from !== undefined && options.from === options.to)
    throw new CommandFailure("--from and --to name the same agent server");
  const areUrls = sides.every((side) => isUrl(options[side] ?? ""));
  return areUrls ? run() : withControlPlane(options, terminal, run);
}

function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text);
}

async function serverOf(
  given: string,
  side: "from" | "to",
  context: Context | undefined,
): Promise<AgentServer> {
  const found =
    isUrl(given) || context === undefined
      ? undefined
      : await findDeployment(context, given, "whole name");
  const url = found ? found.url || found.source_config.custom_url : given;
  if (!url) throw new CommandFailure(`deployment '${given}' has no URL yet`);
  try {
    return new AgentServer({
      url,
      apiKey: agentKey(side),
      requestTimeoutSeconds: REQUEST_TIMEOUT_SECONDS,
    });
  } catch (error) {
    throw new CommandFailure(
      `--${side} ${printable(given)}: ${error instanceof Error ? error.message : "is not valid"}`,
      { cause: error },
    );
  }
}

function need(server: AgentServer | undefined): AgentServer {
  if (server === undefined) throw new CommandFailure("no agent server is named");
  return server;
}
