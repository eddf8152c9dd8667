import type { CommandLine } from "../command-line";
import type { OpenOptions } from "../local/open";
import { standardTerminal } from "../terminal/terminal";
import { FOLDER } from "../values";

/** Adds `open`, which shows the page of the local platform in a browser. */
export function addOpenCommand(line: CommandLine, run = runOpen): void {
  line
    .command("open", "open support")
    .description("open the page of the local platform in a browser")
    .argument(
      "[deployment]",
      "open it at this deployment: its name, the beginning of it, or its id",
    )
    .addOption(
      line.option("--data-dir <folder>", "the data folder (default: .agentserver)", FOLDER),
    )
    .option("--no-browser", "print the link only")
    .action((deployment, { dataDir, browser }) => run({ deployment, dataDir, browser }));
}

async function runOpen(options: OpenOptions): Promise<void> {
  const { openPage } = await import("../local/open.js");
  await openPage(options, standardTerminal());
}
