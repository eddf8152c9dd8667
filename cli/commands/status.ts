import type { CommandLine } from "../command-line";
import type { StatusOptions } from "../deployments/status";
import { standardTerminal } from "../terminal/terminal";
import { COUNT, HOW_LONG, SECONDS, TIMEOUT_SECONDS } from "../values";

const REVISIONS = 10;

/** Adds `status`, which prints one deployment. */
export function addStatusCommand(line: CommandLine, run = runStatus): void {
  line
    .controlPlaneCommand("status", "status support --wait")
    .description("show one deployment: what serves, its revisions, its URL, names of variables")
    .argument("<deployment>", "the deployment's name, the beginning of it, or its id")
    .option("--wait", "wait until the newest revision is done; exit code 1 if it failed")
    .addOption(line.option("--timeout <seconds>", HOW_LONG, SECONDS))
    .addOption(line.option("--limit <count>", `most revisions (default: ${REVISIONS})`, COUNT))
    .action((deployment, { timeout, limit = REVISIONS, wait = false, json = false, ...where }) =>
      run({
        ...where,
        deployment,
        wait,
        limit,
        json,
        timeoutSeconds: timeout ?? TIMEOUT_SECONDS,
      }),
    );
}

async function runStatus(options: StatusOptions): Promise<void> {
  const { printStatus } = await import("../deployments/status.js");
  await printStatus(options, standardTerminal());
}
