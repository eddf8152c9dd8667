import type { CommandLine } from "../command-line";
import { FRONT_ENDS } from "../import/program";
import type { ImportOptions } from "../import/import";
import { standardTerminal } from "../terminal/terminal";
import { oneOf, TEXT } from "../values";

/** Where an import writes, unless a folder is named. */
const FOLDER = "imported";

/** Adds `import`, which writes a program for what exists. */
export function addImportCommand(line: CommandLine, run = runImport): void {
  line
    .controlPlaneCommand("import", "import production --pulumi prod")
    .description(
      "write a Pulumi project for the deployments, listeners, OAuth providers, assistants and crons that exist",
    )
    .argument(
      "[folder]",
      `the folder to write, which must be empty or not exist (default: ${FOLDER})`,
    )
    .addOption(
      line.option(
        "--name-contains <text>",
        "deployments whose name contains this, with their assistants and crons alone",
        TEXT,
      ),
    )
    .addOption(
      line.option(
        "--front-end <name>",
        "the provider to use, dynamic or native (default: dynamic)",
        oneOf(FRONT_ENDS),
      ),
    )
    .addOption(
      line.repeatableOption(
        "--env <name>",
        "a variable that is not secret: its value stands in the program (repeatable)",
        TEXT,
      ),
    )
    .addOption(
      line.option(
        "--pulumi <stack>",
        "create this stack in the folder, and set its settings and the values of variables there as secrets",
        TEXT,
      ),
    )
    .action((folder = FOLDER, { frontEnd = "dynamic", json = false, ...options }) =>
      run({ ...options, folder, frontEnd, json }),
    );
}

async function runImport(options: ImportOptions): Promise<void> {
  const { importExisting } = await import("../import/import.js");
  await importExisting(options, standardTerminal());
}
