import type { CommandLine } from "../command-line";
import type { LogsOptions } from "../deployments/logs";
import { standardTerminal } from "../terminal/terminal";
import { COUNT, MOMENT, oneOf, UUID } from "../values";

/** Adds `logs`, which prints the logs of a revision. */
export function addLogsCommand(line: CommandLine, run = runLogs): void {
  line
    .controlPlaneCommand("logs", "logs support --follow")
    .description("print the build and deploy log of the newest revision, or what the server prints")
    .argument("<deployment>", "the deployment's name, the beginning of it, or its id")
    .addOption(line.option("--revision <id>", "print the logs of this revision", UUID))
    .addOption(
      line.option(
        "--type <name>",
        "print one log: build, deploy, or server (the agent server that serves)",
        oneOf(["build", "deploy", "server"]),
      ),
    )
    .option("-f, --follow", "print on until the revision is done; with --type server until Ctrl-C")
    .addOption(
      line.option("--since <time>", "only lines since a time span such as 10m, or a time", MOMENT),
    )
    .addOption(line.option("--tail <count>", "only the newest lines of each log", COUNT))
    .action((deployment, { revision: revisionId, follow = false, json = false, ...options }) =>
      run({ ...options, deployment, revisionId, follow, json }),
    );
}

async function runLogs(options: LogsOptions): Promise<void> {
  const { printLogs } = await import("../deployments/logs.js");
  await printLogs(options, standardTerminal());
}
