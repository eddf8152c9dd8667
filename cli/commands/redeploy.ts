import type { CommandLine } from "../command-line";
import type { RedeployOptions } from "../deployments/redeploy";
import { standardTerminal } from "../terminal/terminal";
import { HOW_LONG, SECONDS, TIMEOUT_SECONDS, UUID } from "../values";

/** Adds `redeploy`, which creates a revision like an earlier one. */
export function addRedeployCommand(line: CommandLine, run = runRedeploy): void {
  line
    .controlPlaneCommand("redeploy", "redeploy support --yes")
    .description("create a revision like an earlier one, with the present variables")
    .argument("<deployment>", "the deployment's whole name, or its id")
    .addOption(line.option("--revision <id>", "the earlier one (default: the newest)", UUID))
    .option("-y, --yes", "do not ask")
    .option("--wait", "wait until the newest revision is done; exit code 1 if it failed")
    .addOption(line.option("--timeout <seconds>", HOW_LONG, SECONDS))
    .action(
      (
        deployment,
        { revision: revisionId, yes = false, wait = false, timeout, json = false, ...where },
      ) =>
        run({
          ...where,
          deployment,
          revisionId,
          yes,
          wait,
          timeoutSeconds: timeout ?? TIMEOUT_SECONDS,
          json,
        }),
    );
}

async function runRedeploy(options: RedeployOptions): Promise<void> {
  const { redeploy } = await import("../deployments/redeploy.js");
  await redeploy(options, standardTerminal());
}
