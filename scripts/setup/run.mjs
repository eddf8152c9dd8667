import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** The person at the terminal, or the system, has asked the set-up to stop. */
export class Interrupted extends Error {
  constructor() {
    super("interrupted");
  }
}

/**
 * Runs a command to its end in a process group of its own, so that giving it up after `limitSeconds` ends all that it
 * has started. Its output is shown, or goes line by line to `onLine` if that is given. When it fails, rejects with
 * the last line of the output that was not shown; when this process gets a signal to stop, with `Interrupted`, once the
 * command has ended: at the first signal it is interrupted, a second one ends this process at once.
 */
export function run(command, args, { cwd, env, limitSeconds, onLine } = {}) {
  const output = onLine ? "pipe" : process.stderr;
  const stdio = ["ignore", output, output];
  // Before the start: the command may be under way before this process goes on.
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
    forget();
    signalGroup(child.pid, "SIGINT");
  };
  const forget = () => SIGNALS.forEach((signal) => process.off(signal, interrupt));
  for (const signal of SIGNALS) process.on(signal, interrupt);
  const child = spawn(command, args, { cwd, env, detached: true, stdio });
  let reason;
  const note = (line) => {
    if (line.trim()) reason = line.trim();
    onLine(line);
  };
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface(stream).on("line", note);
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      signalGroup(child.pid, "SIGKILL");
      reject(new Error(`given up after ${limitSeconds} s`));
    };
    const timer = limitSeconds && setTimeout(giveUp, limitSeconds * 1000);
    child.once("error", (error) =>
      reject(error.code === "ENOENT" ? new Error(`${command} is not installed`) : error),
    );
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      forget();
      if (interrupted) reject(new Interrupted());
      else if (code === 0) resolve();
      else reject(new Error(reason ?? `ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}
