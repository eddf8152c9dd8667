import type { AssistantsOptions } from "../assistants/list";
import type { CommandLine } from "../command-line";
import { standardTerminal } from "../terminal/terminal";

/** Adds `assistants`, which prints the assistants of a deployment, or the versions of one. */
export function addAssistantsCommand(line: CommandLine, run = runAssistants): void {
  line
    .controlPlaneCommand("assistants", "assistants support support-de")
    .description(
      "list the assistants of a deployment, or the versions of one with what each changed",
    )
    .argument("<deployment>", "the deployment's name, the beginning of it, or its id")
    .argument("[assistant]", "the assistant's name or its id")
    .action((deployment, assistant, { json = false, ...where }) =>
      run({ ...where, deployment, assistant, json }),
    );
}

async function runAssistants(options: AssistantsOptions): Promise<void> {
  const { printAssistants } = await import("../assistants/list.js");
  await printAssistants(options, standardTerminal());
}
