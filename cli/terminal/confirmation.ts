import { CommandFailure } from "../failure";
import type { Terminal } from "./terminal";
import { printable } from "../../shared/printable";

/** Asks before something happens, unless yes was said. Throws `CommandFailure` for any other answer, and where nobody can answer. */
export async function confirm(terminal: Terminal, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  const answer = await terminal.ask(`${printable(question)} [y/N] `);
  if (answer === undefined)
    throw new CommandFailure(`${question} Nobody can answer without a terminal: add --yes`);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailure("nothing was changed");
}
