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
 * command has ended.
 */
export function run(command, args, { cwd, env, limitSeconds, onLine } = {}) {
  const output = onLine ? "pipe" : process.stderr;
  const stdio = ["ignore", output, output];
  // Before the start: the command may be under way before this process goes on.
  const interruption = onInterruption(() => signalGroup(child.pid, "SIGINT"));
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
      interruption.forget();
      if (interruption.happened()) reject(new Interrupted());
      else if (code === 0) resolve();
      else reject(new Error(reason ?? `ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}

/** Lets `stop` end things in good order at the first signal to stop; a second one ends this process at once. */
function onInterruption(stop) {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  let happened = false;
  const listener = () => {
    happened = true;
    forget();
    stop();
  };
  const forget = () => signals.forEach((signal) => process.off(signal, listener));
  for (const signal of signals) process.on(signal, listener);
  return { happened: () => happened, forget };
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}
