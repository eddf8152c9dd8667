import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * Runs a command to its end in a process group of its own, so that giving it up (after `limitSeconds`, or when this
 * process exits) ends all that it has started. Its output is shown, or goes line by line to `onLine` if that is given.
 * When it fails, rejects with the last line of the output that was not shown.
 */
export function run(command, args, { cwd, env = process.env, limitSeconds, onLine } = {}) {
  const output = onLine ? "pipe" : process.stderr;
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", output, output],
  });
  let reason;
  const note = (line) => {
    if (line.trim()) reason = line.trim();
    onLine(line);
  };
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface(stream).on("line", note);
  const end = () => endGroup(child.pid);
  process.once("exit", end);
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      end();
      reject(new Error(`given up after ${limitSeconds} s`));
    };
    const timer = limitSeconds && setTimeout(giveUp, limitSeconds * 1000);
    child.once("error", (error) =>
      reject(error.code === "ENOENT" ? new Error(`${command} is not installed`) : error),
    );
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      process.off("exit", end);
      if (code === 0) resolve();
      else reject(new Error(reason ?? `ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}

function endGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
