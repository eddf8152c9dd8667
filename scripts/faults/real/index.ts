import { startRealPlatform } from "./platform";
import { type RealReport, runReal } from "./run";
import type { FrontEndName } from "./stack";

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
  minutes,
  print,
}: Options): Promise<number> {
  const endMs = minutes === undefined ? Infinity : performance.now() + minutes * 60_000;
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
  for (const line of summaryOf(reports)) print(line);
  return reports.filter(isBroken).length;
}

/** The command that repeats a run. */
function commandOf({ seed, frontEnd }: Pick<RealReport, "seed" | "frontEnd">): string {
  return `npm run faults -- --engine --front-end ${frontEnd} --seed ${seed} --schedules 1`;
}

function historyOf(report: RealReport): string {
  const { history, violations } = report;
  return [commandOf(report), ...history, ...violations.map((what) => `!! ${what}`)].join("\n");
}

function lineOf(report: RealReport): string {
  const { seed, frontEnd, resources, command, interruption, at, repairs, seconds } = report;
  const where = at === undefined ? "not reached" : `${interruption?.moment} ${at.split("?")[0]}`;
  const result = isBroken(report) ? "BROKEN" : `at rest after ${repairs}`;
  return `seed ${seed}: ${frontEnd}, ${command} of ${resources}, ${signalOf(report)}, ${where}: ${result}, ${seconds.toFixed(1)} s`;
}

function summaryOf(reports: readonly RealReport[]): string[] {
  const groups: [string, (report: RealReport) => string][] = [
    ["frontEnd", ({ frontEnd }) => frontEnd],
    ["command", ({ command }) => command],
    ["fault", signalOf],
  ];
  const rows = groups.flatMap(([title, keyOf]) => {
    const keys = [...new Set(reports.map(keyOf))].toSorted();
    return keys.map((key) =>
      rowOf(
        `${title} ${key}`,
        reports.filter((one) => keyOf(one) === key),
      ),
    );
  });
  return [...rows, rowOf("all", reports)];
}

function rowOf(name: string, reports: readonly RealReport[]): string {
  const reached = reports.filter(({ at }) => at !== undefined).length;
  const repairs = reports.reduce((sum, report) => sum + report.repairs, 0);
  const seconds = reports.reduce((sum, report) => sum + report.seconds, 0) / reports.length;
  const broken = reports.filter(isBroken).map(({ seed }) => seed);
  return `${name}: ${reports.length} runs, ${reached} interrupted, ${repairs} repairs, ${broken.length} broken (${broken.join(", ") || "none"}), ${seconds.toFixed(1)} s each`;
}

function signalOf({ interruption }: RealReport): string {
  return interruption?.signal ?? "no interruption";
}

function isBroken({ violations }: RealReport): boolean {
  return violations.length > 0;
}
