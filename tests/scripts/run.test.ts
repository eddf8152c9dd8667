import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { until } from "../local/children";
import { isAlive } from "./processes";

type Run = (
  command: string,
  args: string[],
  options: { limitSeconds?: number; onLine: (line: string) => void },
) => Promise<void>;

describe("scripts/setup/run.mjs", () => {
  let run: Run;
  before(async () => {
    ({ run } = await import(pathToFileURL("scripts/setup/run.mjs").href));
  });

  /** The failure of a command, in its own words. */
  const failure = (command: string, ...args: string[]) =>
    run(command, args, { onLine: () => {} }).then(
      () => "none",
      (error: unknown) => String(error),
    );

  it("gives a command up at its limit, with all that it has started", async () => {
    let pids: number[] = [];
    const onLine = (line: string) => pids.push(Number(line));
    const script = "sleep 1000 & echo $!; sleep 1000 & echo $!; wait";
    // Until it has been given the time to start both.
    for (let limitSeconds = 0.5; pids.length < 2; limitSeconds *= 2) {
      pids = [];
      const ending = run("sh", ["-c", script], { limitSeconds, onLine }).catch(String);
      expect(await ending).to.equal(`Error: given up after ${limitSeconds} s`);
    }
    await until("the end of both", () => !pids.some(isAlive));
  });

  it("fails with the last line that the command printed", async () => {
    expect(await failure("sh", "-c", "echo first; echo 'no such host' >&2; echo; exit 3")).to.equal(
      "Error: no such host",
    );
  });

  it("fails with the exit code of a command that printed nothing", async () => {
    expect(await failure("sh", "-c", "exit 3")).to.equal("Error: ended with exit code 3");
  });

  it("says that a command is not installed", async () => {
    expect(await failure("no-such-command")).to.equal("Error: no-such-command is not installed");
  });
});
