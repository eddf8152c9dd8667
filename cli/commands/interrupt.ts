import type { CommandLine } from "../command-line";
import type { RevisionOptions } from "../deployments/redeploy";
import { standardTerminal } from "../terminal/terminal";
import { UUID } from "../values";

/** Adds `interrupt`, which ends a revision in progress. */
export function addInterruptCommand(line: CommandLine, run = runInterrupt): void {
  line
    .controlPlaneCommand("interrupt", "interrupt support --yes")
    .description("end a revision in progress; what serves goes on serving")
    .argument("<deployment>", "the deployment's whole name, or its id")
    .addOption(line.option("--revision <id>", "which one (default: the only one)", UUID))
    .option("-y, --yes", "do not ask")
    .action((deployment, { revision: revisionId, yes = false, json = false, ...where }) =>
      run({ ...where, deployment, revisionId, yes, json }),
    );
}

async function runInterrupt(options: RevisionOptions): Promise<void> {
  const { interrupt } = await import("../deployments/interrupt.js");
  await interrupt(options, standardTerminal());
}
