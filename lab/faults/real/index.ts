import { startRealPlatform } from "./platform";
import { type RealReport, runReal } from "./run";
import type { FrontEndName } from "../trial";

interface Options {
  readonly seed: number;
  readonly runs: number;
  /** @default the one that the seed chooses */
  readonly frontEnd?: FrontEndName | undefined;
  /** No run starts later. @default no limit */
  readonly minutes?: number | undefined;
  readonly print: (line: string) => void;
}

/**
 * Runs seeds on the real engine; prints a line for each and the history of each broken one. Returns their number. Ctrl-C
 * ends it after the run that is going on.
 */
export async function runOnEngine({
  seed,
  runs,
  frontEnd,
  minutes = Infinity,
  print,
}: Options): Promise<number> {
  const endMs = performance.now() + minutes * 60_000;
  const reports: RealReport[] = [];
  const platform = await startRealPlatform();
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  process.once("SIGINT", stop);
  try {
    while (!stopped.signal.aborted && reports.length < runs && performance.now() < endMs) {
      const report = await runReal(platform, seed + reports.length, frontEnd);
      reports.push(report);
      print(lineOf(report));
      if (report.violations.length > 0) print(historyOf(report));
    }
  } finally {
    process.off("SIGINT", stop);
    await platform.close();
  }
  const broken = reports.filter(({ violations }) => violations.length > 0);
  const interrupted = reports.filter(({ at }) => at !== undefined).length;
  print(`${reports.length} runs, ${interrupted} interrupted, ${broken.length} broken`);
  return broken.length;
}

/** The command that repeats a run, its history and what is wrong. */
function historyOf({ seed, frontEnd, history, violations }: RealReport): string {
  const command = `npm run faults -- --engine --front-end ${frontEnd} --seed ${seed} --schedules 1`;
  return [command, ...history, ...violations.map((what) => `!! ${what}`)].join("\n");
}

function lineOf(report: RealReport): string {
  const { seed, frontEnd, resources, command, interruption, at, repairs, seconds } = report;
  const where = at === undefined ? "not reached" : `${interruption?.moment} ${at.split("?")[0]}`;
  const result = report.violations.length > 0 ? "BROKEN" : `at rest after ${repairs}`;
  const signal = interruption?.signal ?? "no interruption";
  return `seed ${seed}: ${frontEnd}, ${command} of ${resources}, ${signal}, ${where}: ${result}, ${seconds.toFixed(1)} s`;
}
