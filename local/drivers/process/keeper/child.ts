import { spawn } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../../../shared/errors";
import { eachLine } from "./lines";
import { MARK } from "./leftovers";

/** The variables of a child process; it inherits no others. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A command, and the place of its output. Arguments must not be secret: every user can see them. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Environment;
  readonly onLine?: (line: string, stream: "stdout" | "stderr") => void;
}

export interface Exit {
  /** 128 and more for a signal, as in shells; undefined when the grace period was over and all was killed. */
  readonly exitCode: number | undefined;
  readonly lastLines: readonly string[];
}

/** A running command, with all processes that it started. */
export interface Child {
  /** Its process group; undefined if it could not be started. */
  readonly processGroup: number | undefined;
  /** Resolves when the command and all processes that it started are gone; never rejects. */
  readonly ended: Promise<Exit>;
  /** Sends TERM to the process group, and KILL after the grace period. */
  end(): Promise<Exit>;
}

/**
 * The keeper: a POSIX shell that leads the command's process group and holds one end of a socket (descriptor 3). Only
 * the platform has the other end. When the socket closes, for whatever reason, the group gets TERM, and KILL after
 * the grace period. When the command exits, its exit code goes to the socket and KILL to the processes that it left.
 * On Linux, KILL also reaches processes that left the group: they still carry the command's mark. TERM is sent once,
 * since many programs exit at once on a second one. The shell holds the socket before it starts the command, so the
 * platform's death is never missed. It ignores TERM only after that, since the command would inherit it; the watcher
 * and its `sleep` do inherit it. It sets no variable before, since that would overwrite a variable of the command.
 */
const SCRIPT = `(export ${MARK}="$2"; shift 2; exec "$@") 3>&- &
set -- "$1" "$2" $!
end() {
  for left in $(grep -lsxz "${MARK}=$1" /proc/[0-9]*/environ); do left=\${left%/*}; kill -KILL "\${left##*/}"; done
  kill -KILL 0
}
trap 'end "$2"' EXIT
trap '' HUP INT PIPE TERM
exec >/dev/null 2>&1
{ read -r _ <&3; kill -TERM 0; sleep "$1"; end "$2"; } &
wait "$3"
echo $? >&3`;

/** npm explains all options of a command after the reason of its refusal. */
const LAST_LINES = 100;
/** The longest wait for the end of the output, which a process that left the group may hold open. */
const OUTPUT_WAIT_MS = 1000;
/** The time after the grace period in which a watcher kills, unless it was killed itself. */
const WATCHER_WAIT_MS = 3000;
/** A shell's exit code for a command that is found but can't be started. */
const NOT_STARTED = 126;
/** A shell's exit code for a command that KILL ended. */
export const KILLED = 137;

/** Starts a marked command in its own process group, which ends at the latest with this process. */
export function startChild(command: Command, mark: string, graceSeconds: number): Child {
  const { file, args, cwd, environment: env } = command;
  const shell = spawn(
    "/bin/sh",
    ["-c", SCRIPT, "keeper", String(graceSeconds), mark, file, ...args],
    { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe", "pipe"] },
  );
  // `once` rejects at an error: the shell could not be started.
  const exited = once(shell, "exit").then(() => undefined, messageOf);
  const { stdout, stderr } = shell;
  const lifeline = stdout && shell.stdio[3];
  const lastLines: string[] = [];
  const take = (stream: "stdout" | "stderr") => (line: string) => {
    if (lastLines.push(line) > LAST_LINES) lastLines.shift();
    command.onLine?.(line, stream);
  };
  const failed = (failure: string): Exit => {
    take("stderr")(failure);
    return { exitCode: NOT_STARTED, lastLines };
  };
  // There are none of them where this process has no descriptor left.
  if (!(stdout && stderr && lifeline instanceof Socket)) {
    const ended = exited.then((failure = "the keeper has no sockets") => failed(failure));
    return { processGroup: undefined, ended, end: () => ended };
  }
  const values = valuesOf(env);
  eachLine(stdout, values, take("stdout"));
  eachLine(stderr, values, take("stderr"));
  let report = "";
  let isEnding = false;
  lifeline.setEncoding("utf8").on("data", (text: string) => (report += text));
  // A reset closes a stream like any other end.
  for (const stream of [lifeline, stdout, stderr]) stream.on("error", () => {});
  const closed = once(shell, "close").catch(() => {});

  const ended = exited.then(async (failure) => {
    lifeline.end(); // after a kill of the keeper, its watcher is left, and ends the group now
    const waitMs = OUTPUT_WAIT_MS + (report === "" ? graceSeconds * 1000 : 0);
    await Promise.race([closed, sleep(waitMs, undefined, { ref: false })]);
    for (const stream of [lifeline, stdout, stderr]) stream.destroy();
    if (failure !== undefined) return failed(failure);
    // The keeper kills the command before itself, and may report that in between.
    const isKilled = report === "" || (isEnding && Number(report) === KILLED);
    return { exitCode: isKilled ? undefined : Number(report), lastLines };
  });
  const { pid } = shell;
  const end = () => {
    isEnding = true;
    lifeline.end();
    const kill = () => pid !== undefined && process.kill(-pid, "SIGKILL");
    const late = setTimeout(kill, graceSeconds * 1000 + WATCHER_WAIT_MS);
    void exited.then(() => clearTimeout(late));
    return ended;
  };
  return { processGroup: pid, ended, end };
}

/** The strings that `mask` must find uncut, longest first: values, and their lines (as of a private key). */
function valuesOf(environment: Environment): string[] {
  return Object.values(environment)
    .flatMap((value = "") => [value, ...value.split(/\r?\n/)])
    .filter((text) => text.length > 1)
    .toSorted((a, b) => b.length - a.length);
}
