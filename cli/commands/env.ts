import type { CommandLine } from "../command-line";
import type { EnvOptions } from "../env/env";
import { SHELLS } from "../env/shells";
import { standardTerminal } from "../terminal/terminal";
import { oneOf, TEXT } from "../values";

/** Adds `env`, which hands the settings on to a shell or a stack. */
export function addEnvCommand(line: CommandLine, run = runEnv): void {
  line
    .controlPlaneCommand("env", 'env    # in a shell: eval "$(npx pulumi-agentserver env)"')
    .description("print the commands that point a shell at the control plane")
    .addOption(line.option("--shell <name>", `${SHELLS.join(", ")} (default: sh)`, oneOf(SHELLS)))
    .addOption(
      line.option(
        "--pulumi <stack>",
        "set the configuration of a stack in place of printing, the key as a secret",
        TEXT,
      ),
    )
    .action(({ json = false, ...options }) => run({ ...options, json }));
}

async function runEnv(options: EnvOptions): Promise<void> {
  const { handOn } = await import("../env/env.js");
  await handOn(options, standardTerminal());
}
