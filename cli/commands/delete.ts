import type { CommandLine } from "../command-line";
import type { DeleteOptions } from "../deployments/delete";
import { standardTerminal } from "../terminal/terminal";
import { HOW_LONG, SECONDS, TIMEOUT_SECONDS } from "../values";

/** Adds `delete`, which deletes a deployment and waits until it is gone. */
export function addDeleteCommand(line: CommandLine, run = runDelete): void {
  line
    .controlPlaneCommand("delete", "delete support --yes")
    .description("delete a deployment with its threads and database, and wait until it is gone")
    .argument("<deployment>", "the deployment's whole name, or its id")
    .option("-y, --yes", "do not ask")
    .addOption(line.option("--timeout <seconds>", HOW_LONG, SECONDS))
    .action((deployment, { yes = false, timeout, json = false, ...where }) =>
      run({ ...where, deployment, yes, timeoutSeconds: timeout ?? TIMEOUT_SECONDS, json }),
    );
}

async function runDelete(options: DeleteOptions): Promise<void> {
  const { deleteDeployment } = await import("../deployments/delete.js");
  await deleteDeployment(options, standardTerminal());
}
