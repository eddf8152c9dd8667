import { StageFailure } from "../../driver";
import type { Environment, Keeper } from "../keeper/keeper";

/** What a call of git printed, line by line, and how it ended. */
interface GitOutput {
  readonly exitCode: number | undefined;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/** A call of git; only its end by force or by the signal is an error. */
export type GitCommand = (
  args: readonly string[],
  cwd: string,
  signal: AbortSignal,
) => Promise<GitOutput>;

/** What git is called with. */
export interface GitSettings {
  readonly keeper: Keeper;
  /** PATH and HOME, and what it takes to log in (`SSH_AUTH_SOCK`) or to get out (proxies). */
  readonly environment: Environment;
  /** For each call. */
  readonly limitSeconds: number;
}

const SAFE_OPTIONS = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "gc.auto=0"].flatMap(
  (option) => ["-c", option],
);
const SAFE_ENVIRONMENT = {
  GIT_ALLOW_PROTOCOL: "https:ssh:file",
  GIT_ASKPASS: "",
  GIT_TERMINAL_PROMPT: "0",
} as const;
/** The user's and the system's configuration may name filters: where files are written it does not count. */
const WITHOUT_CONFIGURATION = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" } as const;
/** These reach a server: there it counts, as it says which way, how to log in, and whose folders to trust. */
const REMOTE_COMMANDS: readonly (string | undefined)[] = ["ls-remote", "fetch"];

/** git as it may be called for a repository that nobody vouches for: no prompt, no hook, no odd protocol, no filter. */
export function gitCommand({ keeper, environment, limitSeconds }: GitSettings): GitCommand {
  const start: GitCommand = async (args, cwd, signal) => {
    const output = { stdout: new Array<string>(), stderr: new Array<string>() };
    const configured = REMOTE_COMMANDS.includes(args[0]) ? {} : WITHOUT_CONFIGURATION;
    const command = {
      file: "git",
      args: [...SAFE_OPTIONS, ...args],
      cwd,
      environment: { ...environment, ...SAFE_ENVIRONMENT, ...configured },
      onLine: (line: string, stream: "stdout" | "stderr") => void output[stream].push(line),
    };
    const { exitCode } = await keeper.run(command, signal);
    if (exitCode === 127)
      throw new StageFailure("git is not installed: install it, and make it found on PATH");
    return { ...output, exitCode };
  };
  return async (args, cwd, signal) => {
    const limit = AbortSignal.timeout(limitSeconds * 1000);
    try {
      return await start(args, cwd, AbortSignal.any([signal, limit]));
    } catch (error) {
      if (signal.aborted || !limit.aborted) throw error;
      throw new StageFailure(`git ${args[0]} took longer than ${limitSeconds} s`);
    }
  };
}
