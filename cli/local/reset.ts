import { removeData, requireRemovable, StartError } from "../../local/platform/folder";
import { DEFAULT_DATA_DIR, pathsIn } from "../../local/platform/identity-file";
import { codeOf, messageOf } from "../../shared/errors";
import { confirm } from "../terminal/confirmation";
import { CommandFailure } from "../failure";
import { printJson, printLine, type Terminal } from "../terminal/terminal";

/** Options of the command `local reset`. */
export interface ResetOptions {
  readonly dataDir?: string | undefined;
  /** Whether not to ask. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** Removes the data of a local platform that does not run. */
export async function reset(options: ResetOptions, terminal: Terminal): Promise<void> {
  const { dataDir = DEFAULT_DATA_DIR } = options;
  const { folder } = pathsIn(dataDir);
  try {
    requireRemovable(dataDir);
    const question = `Afterwards \`pulumi state delete\` alone removes from a stack what it has here: destroy such stacks first. Remove every deployment, thread, log and key in ${folder}?`;
    await confirm(terminal, question, options.yes);
    const left = removeData(dataDir);
    if (options.json) return printJson(terminal, { folder, left });
    printLine(terminal, `removed the data of the local platform in ${folder}`);
    if (left.length > 0)
      printLine(terminal, `left in it, to be removed by hand: ${left.join(", ")}`);
  } catch (error) {
    if (!(error instanceof StartError) && codeOf(error) === "") throw error;
    throw new CommandFailure(messageOf(error), { cause: error });
  }
}
