import { StageFailure } from "../../driver";
import type { Environment, Keeper } from "../keeper/keeper";

/** The output lines and the exit code of git. */
interface GitOutput {
  readonly exitCode: number | undefined;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/** Runs git. Throws at a time-out or an abort only; the exit code is the caller's to check. */
export type GitCommand = (
  args: readonly string[],
  cwd: string,
  signal: AbortSignal,
) => Promise<GitOutput>;

/** The environment of git commands. */
export interface GitSettings {
  readonly keeper: Keeper;
  /** PATH, HOME, `SSH_AUTH_SOCK`, proxies. */
  readonly environment: Environment;
  /** The time limit of each command. */
  readonly limitSeconds: number;
}

/** Far more than an honest repository's; a server can send messages without end. */
const MAX_OUTPUT_MIB = 16;
const SAFE_OPTIONS = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "gc.auto=0"].flatMap(
  (option) => ["-c", option],
);
const SAFE_ENVIRONMENT = {
  GIT_ALLOW_PROTOCOL: "https:ssh:file",
  GIT_ASKPASS: "",
  GIT_TERMINAL_PROMPT: "0",
} as const;
/** The user's and the system's configuration may name filters: commands that write files ignore it. */
const WITHOUT_CONFIGURATION = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" } as const;
/** These commands need it: it holds proxies, credential helpers and trusted folders. */
const REMOTE_COMMANDS: readonly string[] = ["ls-remote", "fetch"];

/** git for untrusted repositories: without prompts, hooks, filters and other protocols than https, ssh and file. */
export function gitCommand({ keeper, environment, limitSeconds }: GitSettings): GitCommand {
  return async (args, cwd, signal) => {
    const [name = ""] = args;
    const output = { stdout: new Array<string>(), stderr: new Array<string>() };
    const flood = new AbortController();
    let length = 0;
    const onLine = (line: string, stream: "stdout" | "stderr") => {
      length += line.length + 1;
      if (length <= MAX_OUTPUT_MIB * 1024 * 1024) output[stream].push(line);
      else flood.abort(new StageFailure(`git ${name} printed more than ${MAX_OUTPUT_MIB} MiB`));
    };
    const configured = REMOTE_COMMANDS.includes(name) ? {} : WITHOUT_CONFIGURATION;
    const command = {
      file: "git",
      args: [...SAFE_OPTIONS, ...args],
      cwd,
      environment: { ...environment, ...SAFE_ENVIRONMENT, ...configured },
      onLine,
    };
    const ended = AbortSignal.any([signal, flood.signal]);
    const { exitCode } = await keeper.runWithin(limitSeconds, `git ${name}`, command, ended);
    if (exitCode === 127)
      throw new StageFailure("git is not installed; install it and add it to PATH");
    return { ...output, exitCode };
  };
}
