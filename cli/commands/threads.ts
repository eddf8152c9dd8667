import type { CommandLine } from "../command-line";
import { standardTerminal } from "../terminal/terminal";
import type { ThreadsOptions } from "../threads/commands";
import { MEMBER, MOMENT, momentOf, oneOf, TEXT } from "../values";

const WHERE = "a deployment's whole name or id, or the URL of an agent server";
const STATUSES = ["idle", "busy", "interrupted", "error"] as const;
const UNFINISHED = "also busy and interrupted threads, up to their last finished step";
const DRY = "report what would be copied, and change nothing";
const COMMANDS = {
  list: "list the threads of an agent server, oldest first",
  copy: "copy threads with their history to another agent server, none twice",
  export: "write threads to a file, a line of JSON each; compressed where its name ends in .gz",
  import: "copy the threads of an export to an agent server, none twice",
} as const;
type Name = keyof typeof COMMANDS;

/** Adds `threads` with `list`, `copy`, `export` and `import`. */
export function addThreadsCommand(line: CommandLine, run = runThreads): void {
  line
    .command("threads", "threads copy --from support-blue --to support-green")
    .description("list conversations, and move them between agent servers");
  const command = (name: Name, example: string) =>
    line
      .controlPlaneCommand(`threads ${name}`, `threads ${name} ${example}`)
      .description(COMMANDS[name]);
  const to = () => line.option("--to <server>", WHERE, TEXT).makeOptionMandatory();
  const reading = (name: Name, example: string) =>
    command(name, example)
      .addOption(line.option("--from <server>", WHERE, TEXT).makeOptionMandatory())
      .addOption(line.option("--status <name>", "only those of this status", oneOf(STATUSES)))
      .addOption(line.repeatableOption("--metadata <key=value>", "only those with it", MEMBER))
      .addOption(
        line.option("--updated-after <time>", "such as 2h, or a time in ISO 8601", MOMENT),
      );

  reading("list", "--from support").action((options) => run("list", complete(options)));
  reading("copy", "--from support-blue --to support-green")
    .addOption(to())
    .option("--unfinished", UNFINISHED)
    .option("--dry-run", DRY)
    .action((options) => run("copy", complete(options)));
  reading("export", "--from support threads.jsonl.gz")
    .argument("<file>", "where to write them; - for standard output")
    .action((file, options) => run("export", { ...complete(options), file }));
  command("import", "threads.jsonl.gz --to support")
    .argument("<file>", "what `threads export` has written; - for standard input, not compressed")
    .addOption(to())
    .option("--unfinished", UNFINISHED)
    .option("--dry-run", DRY)
    .action((file, options) => run("import", { ...complete(options), file }));
}

type Typed = Partial<Omit<ThreadsOptions, "metadata" | "updatedAfter">> & {
  readonly metadata?: readonly (readonly [string, string])[] | undefined;
  readonly updatedAfter?: string | undefined;
};

function complete({
  metadata,
  updatedAfter,
  unfinished = false,
  dryRun = false,
  json = false,
  ...others
}: Typed): ThreadsOptions {
  return {
    ...others,
    ...(metadata && { metadata: Object.fromEntries(metadata) }),
    ...(updatedAfter && { updatedAfter: momentOf(updatedAfter, new Date()) }),
    unfinished,
    dryRun,
    json,
  };
}

async function runThreads(name: Name, options: ThreadsOptions): Promise<void> {
  const { copyThreads, exportThreads, listThreads } = await import("../threads/commands.js");
  const work = { list: listThreads, copy: copyThreads, export: exportThreads, import: copyThreads };
  await work[name](options, standardTerminal());
}
