import { Command, CommanderError, Option } from "@commander-js/extra-typings";
import { messageOf } from "../shared/errors";
import { printable } from "../shared/printable";
import { packageVersion } from "../local/agentserver/version";
import { DIALECTS } from "../sdk/dialect";
import { VARIABLES } from "../settings/source";
import { CommandFailure } from "./failure";
import { FOLDER, oneOf, TEXT, URL_TEXT, type ValueType } from "./values";

const PROGRAM = "pulumi-agentserver";

/** That of @bomb.sh/tab has bash evaluate the words of the line, with what is substituted and redirected in them. */
const BASH_COMPLETION = `__pulumi_agentserver_complete() {
    local IFS=$'\\n'
    COMPREPLY=($(compgen -W "$(${PROGRAM} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | grep -v '^:' | cut -f 1)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F __pulumi_agentserver_complete ${PROGRAM}
`;

/** As in git and shells. */
const USAGE_EXIT_CODE = 2;

/** Takes text for standard output and standard error. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

const STANDARD_OUTPUT: Output = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

/** The program, to which each command adds itself. */
export class CommandLine {
  readonly #program = new Command(PROGRAM);
  readonly #output: Output;
  /** Found while the options are read, and reported when all are. */
  readonly #problems: string[] = [];

  constructor(output: Output = STANDARD_OUTPUT) {
    this.#output = { out: output.out, err: (text) => output.err(printable(text)) };
    this.#program
      .description(
        "see and operate deployments of agent servers, on any control plane or on this machine",
      )
      .version(packageVersion())
      .showHelpAfterError(`see \`${PROGRAM} --help\``)
      .exitOverride()
      .allowExcessArguments() // commander's own check does not name them
      .configureOutput({
        writeOut: this.#output.out,
        writeErr: this.#output.err,
        outputError: (message, write) => write([...this.#problems, message].join("\n")),
      })
      .hook("preAction", (_program, command) => {
        const { args, registeredArguments: known } = command;
        for (const argument of known.at(-1)?.variadic ? [] : args.slice(known.length))
          this.#problems.push(`error: unexpected argument '${argument}'`);
        const last = this.#problems.pop();
        if (last !== undefined) command.error(last);
      });
  }

  /** Adds a command, or one below another (`local stop`); `example` is what is typed after the program's name. */
  command(path: string, example: string) {
    const [name = "", parent] = path.split(" ").toReversed();
    const within = this.#program.commands.find((command) => command.name() === parent);
    const command = new Command(name).copyInheritedSettings(this.#program);
    (within ?? this.#program).addCommand(command);
    return command
      .showHelpAfterError(`see \`${PROGRAM} ${path} --help\``)
      .addHelpText("after", `\nExample:\n  $ ${PROGRAM} ${example}`);
  }

  /** Adds a command that works on a control plane, with `--json` and the options by which it is found. */
  controlPlaneCommand(name: string, example: string) {
    const group = "Which control plane:";
    const option: typeof this.option = (flags, description, type) =>
      this.option(flags, description, type).helpGroup(group);
    return this.command(name, example)
      .option("--json", "print JSON, a line for each result")
      .addOption(option("--base-url <url>", `its URL (default: ${VARIABLES.baseUrl})`, URL_TEXT))
      .addOption(
        option("--workspace-id <id>", `the workspace (default: ${VARIABLES.workspaceId})`, TEXT),
      )
      .addOption(
        option(
          "--dialect <name>",
          "agentserver or langsmith (default: agentserver)",
          oneOf(DIALECTS),
        ),
      )
      .addOption(new Option("--self-hosted", "its paths are below /api-host").helpGroup(group))
      .addOption(
        new Option("--allow-insecure-http", "allow plain http to other machines").helpGroup(group),
      )
      .addOption(
        option(
          "--data-dir <folder>",
          "the local platform on this data folder (default: .agentserver)",
          FOLDER,
        ),
      );
  }

  /** Adds `completion`, which prints a shell's script, and `complete`, which such a script runs. The last to be added. */
  async addCompletion(): Promise<void> {
    const { default: tab } = await import("@bomb.sh/tab/commander");
    const { default: completion } = await import("@bomb.sh/tab");
    // Not a plain call: @commander-js/extra-typings has its own declaration of the class.
    Reflect.apply(tab, undefined, [this.#program, { completionCommandName: "completion" }]);
    this.#program.commands
      .find((command) => command.name() === "completion")
      ?.description("print the script by which a shell completes commands and options")
      .action((...[shell]) =>
        shell === "bash"
          ? this.#output.out(BASH_COMPLETION)
          : completion.setup(PROGRAM, PROGRAM, String(shell)),
      );
  }

  /** An option whose value must be of a type; without it the value is undefined. */
  option<Flags extends string, Value>(flags: Flags, description: string, type: ValueType<Value>) {
    const option = new Option(flags, description);
    return option.argParser<Value | undefined>((text, previous) => {
      if (previous !== undefined) this.#problems.push(`error: --${option.name()} is set twice`);
      return this.#read(option.name(), text, type);
    });
  }

  /** An option that may be repeated. */
  repeatableOption<Flags extends string, Value>(
    flags: Flags,
    description: string,
    type: ValueType<Value>,
  ) {
    const option = new Option(flags, description);
    return option.argParser<Value[] | undefined>((text, previous = []) => {
      const value = this.#read(option.name(), text, type);
      return value === undefined ? previous : [...previous, value];
    });
  }

  /** Runs the command that the arguments name; resolves with the exit code. */
  async run(args: readonly string[]): Promise<number> {
    try {
      await this.#program.parseAsync(args, { from: "user" });
      return 0;
    } catch (error) {
      if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_EXIT_CODE;
      // What the system refuses, as a write to a full disk, is no error of this program.
      const isRefused = error instanceof Error && "syscall" in error;
      if (!(error instanceof CommandFailure) && !isRefused) throw error;
      this.#output.err(`error: ${messageOf(error)}\n`);
      return 1;
    }
  }

  #read<Value>(name: string, text: string, type: ValueType<Value>): Value | undefined {
    const value = type.parse(text);
    if (value === undefined)
      this.#problems.push(`error: --${name} must be ${type.description}, not '${text}'`);
    return value;
  }
}
