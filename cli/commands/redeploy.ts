import type { CommandLine } from "../command-line";
import type { RevisionOptions } from "../redeployment";
import { standardTerminal } from "../terminal";
import { UUID } from "../values";

/** Adds `redeploy`, which creates a revision like an earlier one. */
export function addRedeployCommand(line: CommandLine, run = runRedeploy): void {
  line
    .controlPlaneCommand("redeploy", "redeploy support --yes")
    .description("create a revision like an earlier one, with the present variables")
    .argument("<deployment>", "the deployment's whole name, or its id")
    .addOption(line.option("--revision <id>", "the earlier one (default: the newest)", UUID))
    .option("--yes", "do not ask")
    .action((deployment, { revision: revisionId, yes = false, json = false, ...where }) =>
      run({ ...where, deployment, revisionId, yes, json }),
    );
}

async function runRedeploy(options: RevisionOptions): Promise<void> {
  const { redeploy } = await import("../redeployment.js");
  await redeploy(options, standardTerminal());
}
