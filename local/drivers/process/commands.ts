import type { Build } from "./build-options";
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

/** Runs the command of a setting of the deployment, if it is set. */
export async function runSetting(
  build: CommandOptions & Pick<Work, "revision">,
  setting: "install_command" | "build_command",
  where: Pick<BuildCommand, "cwd" | "environment">,
): Promise<void> {
  const text = build.revision.sourceConfig[setting];
  if (!text) return;
  await runCommand(build, { title: text, file: "/bin/sh", args: ["-c", text], setting, ...where });
}

/** The lines that a command prints on standard output, which no log gets; undefined if it fails. */
export async function linesOf(
  { keeper, environment, signal }: Pick<Build, "keeper" | "environment" | "signal">,
  { file, args, cwd = "/" }: Pick<BuildCommand, "file" | "args"> & { readonly cwd?: string },
): Promise<string[] | undefined> {
  const lines: string[] = [];
  const onLine = (line: string, stream: string) => void (stream === "stdout" && lines.push(line));
  const { exitCode } = await keeper.run({ file, args, cwd, environment, onLine }, signal);
  return exitCode === 0 ? lines : undefined;
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
