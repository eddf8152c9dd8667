import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { agents } from "./bench/agents";
import { engine } from "./bench/engine";
import { fire } from "./bench/fire";
import { local } from "./bench/local";
import { type Bench, type BenchOptions, Run } from "./bench/run";
import { format, verdictOf } from "./bench/table";
import { messageOf } from "../shared/errors";

const benches: Readonly<Record<string, Bench>> = { agents, engine, local, fire };

const list = Object.entries(benches).map(([name, { about }]) => `  ${name.padEnd(8)} ${about}\n`);

const USAGE = `npm run bench [-- NAME…]

Measures beside a floor in the same run, and says which goals hold. All benches but the last, or those named:
${list.join("")}
fire takes --minutes N of load (60), --kills N (300) and --seed N (1); 0 leaves a half out. engine takes --bucket N, and then
measures stacks and commands behind a bucket of N requests a second alone.

Exit code 1 when a goal is missed or a bench fails. A noisy run is neither: repeat it when the machine is quieter.
`;

const LEGEND = `
A figure is the median of its repetitions (least..most); a ratio is taken within each repetition. A goal holds or is
missed when three quarters of the repetitions say so. The run was noisy where they do not agree.
`;

async function main(): Promise<void> {
  const { chosen, options } = readArguments();
  const stop = new AbortController();
  const { signal } = stop;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => stop.abort(new Error(`stopped by ${name}`)));
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores`;
  console.log(`${machine}, load average ${loadavg()[0]?.toFixed(1)}\n${LEGEND}`);
  try {
    for (const [name, { measure }] of chosen) {
      const say = (text: string) => process.stderr.write(`${name}: ${text} …\n`);
      const tables = await Run.with({ signal, say }, (run) => measure(run, options));
      for (const table of tables) console.log(format(table));
      const figures = tables.flatMap(({ rows }) => rows.flatMap((row) => row.figures));
      if (figures.some((figure) => verdictOf(figure) === "missed")) process.exitCode = 1;
    }
  } catch (error) {
    process.stderr.write(`✗ ${messageOf(error)}\n`);
    process.exitCode = signal.aborted ? 130 : 1;
  }
}

function readArguments(): { chosen: [name: string, bench: Bench][]; options: BenchOptions } {
  try {
    const { values, positionals } = parseArgs({
      options: {
        help: { type: "boolean" },
        minutes: { type: "string", default: "60" },
        kills: { type: "string", default: "300" },
        seed: { type: "string", default: "1" },
        bucket: { type: "string" },
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
    const chosen = all.filter(([name, { isExtra = false }]) =>
      positionals.length === 0 ? !isExtra : positionals.includes(name),
    );
    const options = {
      minutes: amountOf(values.minutes),
      kills: amountOf(values.kills),
      seed: amountOf(values.seed),
      bucket: values.bucket === undefined ? undefined : amountOf(values.bucket),
    };
    return { chosen, options };
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}

function amountOf(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`'${text}' is not a number`);
  return Number(text);
}

void main();
