import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { eachLine } from "./lines";
import { MARK } from "./mark";

/** Variables of a child's environment; nothing is inherited. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What to run, and where its output goes. No argument may be secret: arguments are visible to every user. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Environment;
  readonly onLine?: (line: string, stream: "stdout" | "stderr") => void;
}

/** How a command ended. */
export interface Ending {
  /** 128 and more for a signal, as a shell has it; undefined when the keeper was killed too. */
  readonly exitCode: number | undefined;
  /** The last lines that it wrote, oldest first. */
  readonly lastLines: readonly string[];
}

/** A running command, with all that it started. */
export interface Child {
  /** Resolves when the command and all that it started are gone; never rejects. */
  readonly ended: Promise<Ending>;
  /** Asks the group to end (TERM), and ends it by force after the grace. */
  end(): Promise<Ending>;
}

/**
 * A POSIX shell leads the command's process group and holds one end of a socket (descriptor 3) whose other end only the
 * platform has. The socket's end, for whatever reason, means TERM for the group and KILL after the grace; the command's
 * own end means its exit code on the socket and KILL for what it left behind. On Linux KILL reaches processes too that
 * have left the group: they still carry the command's mark. TERM goes out once, as many take a second one for "now".
 * The command is started by a shell that already holds the socket, so there is no moment at which the platform's death
 * goes unnoticed. The shell ignores TERM only after it has started the command, which would inherit that; the watcher
 * and its `sleep` do inherit it. It sets no variable before either, as that would change the command's of that name.
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

const LAST_LINES = 20;
/** A process that left the group may hold the output open: it is not waited for longer than this. */
const OUTPUT_WAIT_MS = 1000;
/** A shell's code for a command that is there but can't be started. */
const NOT_STARTED = 126;

/** Starts a marked command in a process group of its own that ends, at the latest, with this process. */
export function startChild(command: Command, mark: string, graceSeconds: number): Child {
  const shell = spawnShell(command, mark, graceSeconds);
  const { stdout, stderr } = shell;
  const lifeline = shell.stdio[3];
  if (!(stdout && stderr && lifeline instanceof Socket))
    throw new TypeError("the keeper's descriptors are not sockets");
  const lastLines: string[] = [];
  const take = (stream: "stdout" | "stderr") => (line: string) => {
    if (lastLines.push(line) > LAST_LINES) lastLines.shift();
    command.onLine?.(line, stream);
  };
  const values = valuesOf(command.environment);
  eachLine(stdout, values, take("stdout"));
  eachLine(stderr, values, take("stderr"));
  let report = "";
  lifeline.setEncoding("utf8").on("data", (text: string) => (report += text));
  // A reset is an end like any other.
  for (const stream of [lifeline, stdout, stderr]) stream.on("error", () => {});
  const closed = once(shell, "close").catch(() => {});

  const ended = exitOf(shell).then(async (failure) => {
    if (failure) take("stderr")(failure.message);
    lifeline.end(); // a keeper that somebody else killed has left its watcher, which ends the group now
    const waitMs = OUTPUT_WAIT_MS + (report === "" ? graceSeconds * 1000 : 0);
    await Promise.race([closed, sleep(waitMs, undefined, { ref: false })]);
    for (const stream of [lifeline, stdout, stderr]) stream.destroy();
    if (failure) return { exitCode: NOT_STARTED, lastLines };
    return { exitCode: report === "" ? undefined : Number(report), lastLines };
  });
  const end = () => {
    lifeline.end();
    return ended;
  };
  return { ended, end };
}

/** The texts, longest first, that hide what a child knows only as a whole: values, and the lines of a private key. */
function valuesOf(environment: Environment): string[] {
  return Object.values(environment)
    .flatMap((value = "") => [value, ...value.split(/\r?\n/)])
    .filter((text) => text.length > 1)
    .toSorted((a, b) => b.length - a.length);
}

function spawnShell({ file, args, cwd, environment }: Command, mark: string, graceSeconds: number) {
  return spawn("/bin/sh", ["-c", SCRIPT, "keeper", String(graceSeconds), mark, file, ...args], {
    cwd,
    env: environment,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
}

/** Resolves at the process's end; with the error when it could not be started. */
function exitOf(shell: ChildProcess): Promise<Error | undefined> {
  return new Promise((resolve) => {
    shell.once("exit", () => resolve(undefined));
    shell.once("error", resolve);
  });
}
