import { printable } from "../../../shared/printable";
import type { CommandLine } from "../command-line";
import type { LogsOptions } from "../logs";
import { FOLDER, oneOf, UUID } from "../values";

/** Adds `logs`, which prints the logs of a revision. */
export function addLogsCommand(line: CommandLine, run = printLogs): void {
  line
    .command("logs")
    .description("print the logs of a deployment's newest revision")
    .argument("<deployment>", "the deployment's name or id")
    .addOption(
      line.option(
        "--data-dir <folder>",
        "data folder of the local platform, which must be running (default: .agentserver)",
        FOLDER,
      ),
    )
    .addOption(line.option("--revision <id>", "print the logs of this revision", UUID))
    .addOption(
      line.option(
        "--type <name>",
        "print one log only: build or deploy",
        oneOf(["build", "deploy"]),
      ),
    )
    .action((deployment, { revision: revisionId, ...options }) =>
      run({ ...options, deployment, revisionId }),
    );
}

async function printLogs(options: LogsOptions): Promise<void> {
  const { readLogs } = await import("../logs.js");
  // `logs NAME | head` has seen enough.
  process.stdout.on("error", () => process.exit());
  let lines = 0;
  for await (const text of readLogs(options)) {
    console.log(printable(text));
    lines += 1;
  }
  if (lines === 0) console.error("no log lines yet");
}
