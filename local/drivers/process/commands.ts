import type { Build } from "./build-options";
import type { Command } from "./keeper/keeper";
import { describeExit } from "./servers/server";
import { StageFailure, type Revision } from "../driver";

/** A command of a build. */
export interface BuildCommand extends Omit<Command, "onLine"> {
  /** The command line, as the log and a failure show it. */
  readonly title: string;
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
export async function runCommand(build: Build, command: BuildCommand): Promise<void> {
  const { keeper, signal, log, limitSeconds } = build;
  const { title, setting, whenMissing } = command;
  const name = setting ? `${setting} '${title}'` : `'${title}'`;
  log(`$ ${title}`);
  const logged = { ...command, onLine: (line: string) => log(line) };
  const exit = await keeper.runWithin(limitSeconds, name, logged, signal);
  if (exit.exitCode === 0) return;
  if (exit.exitCode === NOT_FOUND && whenMissing) throw new StageFailure(whenMissing);
  throw new StageFailure(describeExit(name, exit));
}

/** Runs the command of a setting of the deployment, if it is set, where the public service runs it. */
export async function runSetting(
  build: Build,
  setting: "install_command" | "build_command",
  environment = build.environment,
): Promise<void> {
  const { config, revision } = build;
  const title = revision.sourceConfig[setting];
  if (!title) return;
  const cwd = setting === "install_command" ? config.root : config.folder;
  const command = { file: "/bin/sh", args: ["-c", title], cwd, environment };
  await runCommand(build, { title, setting, ...command });
}

/** The lines that a command prints on standard output, which no log gets; undefined if it fails. */
export async function linesOf(
  { keeper, environment, signal }: Pick<Build, "keeper" | "environment" | "signal">,
  { file, args, cwd = "/" }: Pick<Command, "file" | "args"> & { readonly cwd?: string },
): Promise<string[] | undefined> {
  const lines: string[] = [];
  const onLine = (line: string, stream: string) => void (stream === "stdout" && lines.push(line));
  const { exitCode } = await keeper.run({ file, args, cwd, environment, onLine }, signal);
  return exitCode === 0 ? lines : undefined;
}

/** Characters that the public service's client rejects in a command: a single `&` too, but not `&&`. */
const REFUSED_CHARACTERS = /["\\`\n\r\0\t|;$><]|(?<!&)&(?:&&)*(?!&)/;

/** Throws `StageFailure` for commands of the deployment that the public service rejects. */
export function checkCommands({ sourceConfig }: Revision): void {
  for (const setting of ["install_command", "build_command"] as const) {
    const refused = REFUSED_CHARACTERS.exec(sourceConfig[setting] ?? "")?.[0];
    if (refused !== undefined)
      throw new StageFailure(
        `${setting} contains ${JSON.stringify(refused)}, which is not allowed; join commands with && or move them into a script in the repository`,
      );
  }
}
