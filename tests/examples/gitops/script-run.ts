import { spawn } from "node:child_process";
import { once } from "node:events";
import { processesWith, until } from "../../local/children";

/** The result of a script. */
export interface Finished {
  /** Null when a signal ended it. */
  readonly code: number | null;
  /** Standard output and error, in the order in which they came. */
  readonly text: string;
}

/** A script that runs. */
export interface Running {
  readonly finished: Promise<Finished>;
  /** Waits until it has printed this. */
  readonly printed: (text: string) => Promise<void>;
  /** `kill -9` of all its processes, as the end of a job that was cancelled. */
  readonly kill: () => Promise<void>;
}

/** Starts a command in a folder that no other run has. */
export function startScript(command: string, cwd: string, environment: NodeJS.ProcessEnv): Running {
  const child = spawn("sh", ["-c", `exec ${command}`], {
    cwd,
    env: { ...environment, RUN: cwd },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  let isRunning = true;
  const finished = once(child, "close").then(([code]) => {
    isRunning = false;
    return { code, text };
  });
  return {
    finished,
    printed: (expected) =>
      until(`'${expected}' from ${command}`, () => {
        if (text.includes(expected)) return true;
        if (isRunning) return false;
        throw new Error(`${command} has ended without '${expected}':\n${text}`);
      }),
    kill: () => killAll(`RUN=${cwd}`),
  };
}

/** Pulumi's engine, program and provider are processes of their own: all inherit the environment. */
async function killAll(variable: string): Promise<void> {
  await until("the end of all processes of the run", async () => {
    const living = await processesWith(variable);
    for (const pid of living)
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    return living.length === 0;
  });
}
