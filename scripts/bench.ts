import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { agents } from "./bench/agents";
import { runBench, type Bench, type Result } from "./bench/bench";
import { summarise } from "./bench/figure";
import { format } from "./bench/format";
import { engine } from "./bench/engine";
import { platform } from "./bench/platform";
import { threads } from "./bench/threads";
import { messageOf } from "../shared/errors";

const benches: Readonly<Record<string, Bench>> = { agents, engine, platform, threads };

const list = Object.entries(benches).map(([name, { about }]) => `  ${name.padEnd(8)} ${about}\n`);

const USAGE = `npm run bench [-- NAME…] [-- --json]

Measures beside a floor in the same run, and says which goals hold. All benches, or those named:
${list.join("")}
  --json   print one line of JSON for scripts instead of tables

Exit code 1 when a goal is missed or a bench fails. A noisy run is neither: repeat it when the machine is quieter.
`;

const LEGEND = `
A figure is the median of its repetitions (least..most); a ratio is taken within each repetition. A goal holds or is
missed when three quarters of the repetitions say so. The run was noisy where they do not agree, or miss a goal only by
the time that they waited for a CPU.
`;

async function main(): Promise<void> {
  const { chosen, json } = readArguments();
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores`;
  const loadAverage = loadavg()[0] ?? 0;
  if (!json) process.stdout.write(`${machine}, load average ${loadAverage.toFixed(1)}\n${LEGEND}`);
  const results: Result[] = [];
  try {
    for (const [name, bench] of chosen) {
      const say = (text: string) => process.stderr.write(`${name}: ${text} …\n`);
      const result = await runBench(name, bench, { signal: stop.signal, say });
      results.push(result);
      if (!json) for (const table of result.tables) process.stdout.write(`\n${format(table)}`);
    }
    if (json) process.stdout.write(`${toJson({ machine, loadAverage }, results)}\n`);
    process.exitCode = results.some(missesGoal) ? 1 : 0;
  } catch (error) {
    process.stderr.write(`✗ ${messageOf(error)}\n`);
    process.exitCode = stop.signal.aborted ? 130 : 1;
  }
}

function missesGoal({ tables }: Result): boolean {
  const figures = tables.flatMap(({ rows }) => rows).flatMap((row) => row.figures);
  return figures.some((figure) => summarise(figure).verdict === "missed");
}

function toJson(machine: object, results: readonly Result[]): string {
  const summaries = results.map(({ name, seconds, tables }) => ({
    name,
    seconds,
    tables: tables.map(({ title, rows }) => ({
      title,
      rows: rows.map((row) => ({ name: row.name, figures: row.figures.map(summarise) })),
    })),
  }));
  return JSON.stringify({ ...machine, benches: summaries });
}

function readArguments(): { chosen: [name: string, bench: Bench][]; json: boolean } {
  try {
    const { values, positionals } = parseArgs({
      options: {
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
      allowPositionals: true,
    });
    if (values.help) {
      process.stdout.write(USAGE);
      process.exit(0);
    }
    const unknown = positionals.filter((name) => !Object.hasOwn(benches, name));
    if (unknown.length > 0) throw new Error(`there is no bench '${unknown.join("', '")}'`);
    const all = Object.entries(benches);
    const chosen = all.filter(([name]) => positionals.length === 0 || positionals.includes(name));
    return { chosen, json: values.json };
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}

void main();
