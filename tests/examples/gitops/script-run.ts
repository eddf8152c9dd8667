import {
  type Finished,
  killProcess,
  processesWith,
  start,
  until,
} from "../../../scripts/processes";

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
  const env = { ...environment, RUN: cwd };
  const { finished, text } = start("sh", ["-c", `exec ${command}`], { cwd, env });
  let isRunning = true;
  void finished.then(() => (isRunning = false));
  return {
    finished,
    printed: (expected) =>
      until(`'${expected}' from ${command}`, () => {
        if (text().includes(expected)) return true;
        if (isRunning) return false;
        throw new Error(`${command} has ended without '${expected}':\n${text()}`);
      }),
    // Pulumi's engine, program and provider are processes of their own: all inherit the environment.
    kill: () =>
      until("the end of all processes of the run", async () => {
        const living = await processesWith(`RUN=${cwd}`);
        for (const pid of living) killProcess(pid);
        return living.length === 0;
      }),
  };
}
