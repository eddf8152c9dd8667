import type { Environment, Keeper } from "./keeper/keeper";
import { describeExit } from "./servers/server";
import { StageFailure, type Work } from "../driver";

/** What the commands of a build are run with. */
export interface CommandParts extends Pick<Work, "signal" | "log"> {
  readonly keeper: Keeper;
  /** For each command. */
  readonly limitSeconds: number;
}

/** A command of a build. */
export interface BuildCommand {
  /** The command line, as the log and a failure show it. */
  readonly title: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Environment;
  /** Which setting of the deployment it is. */
  readonly setting?: string;
  /** What to say when its program is not there. */
  readonly whenMissing?: string;
}

/** A command as a shell reads it. */
export function shellCommand(
  text: string,
  where: Omit<BuildCommand, "title" | "file" | "args">,
): BuildCommand {
  return { title: text, file: "/bin/sh", args: ["-c", text], ...where };
}

/** A shell's code for a program that is not there. */
const NOT_FOUND = 127;

/** Runs a command with its output in the build log, line by line; a `StageFailure` says with its last lines why it failed. */
export async function runCommand(parts: CommandParts, command: BuildCommand): Promise<void> {
  const { keeper, signal, log, limitSeconds } = parts;
  const { title, setting, whenMissing } = command;
  const name = setting ? `${setting} '${title}'` : `'${title}'`;
  log(`$ ${title}`);
  const limit = AbortSignal.timeout(limitSeconds * 1000);
  try {
    const ending = await keeper.run({ ...command, onLine: log }, AbortSignal.any([signal, limit]));
    if (ending.exitCode === 0) return;
    if (ending.exitCode === NOT_FOUND && whenMissing) throw new StageFailure(whenMissing);
    throw new StageFailure(describeExit(name, ending));
  } catch (error) {
    if (signal.aborted || !limit.aborted) throw error;
    throw new StageFailure(`${name} took longer than ${limitSeconds} s`);
  }
}

/** What the public service's client refuses in a command (a single `&` too; `&&` is fine). */
const REFUSED = /["\\`\n\r\0\t|;$><]|(?<!&)&(?:&&)*(?!&)/;

/** Refuses what the public service refuses in the command of a setting. */
export function checkCommand(setting: string, command: string | null | undefined): void {
  const refused = REFUSED.exec(command ?? "")?.[0];
  if (refused === undefined) return;
  throw new StageFailure(
    `${setting} holds ${JSON.stringify(refused)}, which is not allowed: join commands with &&, or put them into a script of the repository`,
  );
}
