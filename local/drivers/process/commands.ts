import type { Environment, Keeper } from "./keeper/keeper";
import { describeExit } from "./servers/server";
import { StageFailure, type Work } from "../driver";

/** Dependencies of the commands of a build. */
export interface CommandOptions extends Pick<Work, "signal" | "log"> {
  readonly keeper: Keeper;
  /** The time limit of each command. */
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
  /** The setting of the deployment that holds it. */
  readonly setting?: string;
  /** The error when its program is not installed. */
  readonly whenMissing?: string;
}

/** A command line for a shell. */
export function shellCommand(
  text: string,
  where: Omit<BuildCommand, "title" | "file" | "args">,
): BuildCommand {
  return { title: text, file: "/bin/sh", args: ["-c", text], ...where };
}

/** A shell's exit code for a program that is not found. */
const NOT_FOUND = 127;

/**
 * Runs a command; the build log gets its output. Throws `StageFailure` with the last lines of a command that failed.
 */
export async function runCommand(parts: CommandOptions, command: BuildCommand): Promise<void> {
  const { keeper, signal, log, limitSeconds } = parts;
  const { title, setting, whenMissing } = command;
  const name = setting ? `${setting} '${title}'` : `'${title}'`;
  log(`$ ${title}`);
  const limit = AbortSignal.timeout(limitSeconds * 1000);
  try {
    const ending = await keeper.run(
      { ...command, onLine: (line) => log(line) },
      AbortSignal.any([signal, limit]),
    );
    if (ending.exitCode === 0) return;
    if (ending.exitCode === NOT_FOUND && whenMissing) throw new StageFailure(whenMissing);
    throw new StageFailure(describeExit(name, ending));
  } catch (error) {
    if (signal.aborted || !limit.aborted) throw error;
    throw new StageFailure(`${name} timed out after ${limitSeconds} s`);
  }
}

/** Characters that the public service's client rejects in a command: a single `&` too, but not `&&`. */
const REFUSED_CHARACTERS = /["\\`\n\r\0\t|;$><]|(?<!&)&(?:&&)*(?!&)/;

/** Throws `StageFailure` for a command that the public service rejects. */
export function checkCommand(setting: string, command: string | null | undefined): void {
  const refused = REFUSED_CHARACTERS.exec(command ?? "")?.[0];
  if (refused === undefined) return;
  throw new StageFailure(
    `${setting} contains ${JSON.stringify(refused)}, which is not allowed; join commands with && or move them into a script in the repository`,
  );
}
