import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { agents } from "./bench/agents";
import { engine } from "./bench/engine";
import { local } from "./bench/local";
import { type Bench, Run } from "./bench/run";
import { format, verdictOf } from "./bench/table";
import { messageOf } from "../shared/errors";

const benches: Readonly<Record<string, Bench>> = { agents, engine, local };

const list = Object.entries(benches).map(([name, { about }]) => `  ${name.padEnd(8)} ${about}\n`);

const USAGE = `npm run bench [-- NAME…]

Measures beside a floor in the same run, and says which goals hold. All benches, or those named:
${list.join("")}
Exit code 1 when a goal is missed or a bench fails. A noisy run is neither: repeat it when the machine is quieter.
`;

const LEGEND = `
A figure is the median of its repetitions (least..most); a ratio is taken within each repetition. A goal holds or is
missed when three quarters of the repetitions say so. The run was noisy where they do not agree.
`;

async function main(): Promise<void> {
  const chosen = readArguments();
  const stop = new AbortController();
  const { signal } = stop;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => stop.abort(new Error(`stopped by ${name}`)));
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores`;
  console.log(`${machine}, load average ${loadavg()[0]?.toFixed(1)}\n${LEGEND}`);
  try {
    for (const [name, { measure }] of chosen) {
      const say = (text: string) => process.stderr.write(`${name}: ${text} …\n`);
      const tables = await Run.with({ signal, say }, measure);
      for (const table of tables) console.log(format(table));
      const figures = tables.flatMap(({ rows }) => rows.flatMap((row) => row.figures));
      if (figures.some((figure) => verdictOf(figure) === "missed")) process.exitCode = 1;
    }
  } catch (error) {
    process.stderr.write(`✗ ${messageOf(error)}\n`);
    process.exitCode = signal.aborted ? 130 : 1;
  }
}

function readArguments(): [name: string, bench: Bench][] {
  try {
    const { values, positionals } = parseArgs({
      options: { help: { type: "boolean" } },
      allowPositionals: true,
    });
    if (values.help) {
      process.stdout.write(USAGE);
      process.exit(0);
    }
    const unknown = positionals.filter((name) => !Object.hasOwn(benches, name));
    if (unknown.length > 0) throw new Error(`there is no bench '${unknown.join("', '")}'`);
    const all = Object.entries(benches);
    return all.filter(([name]) => positionals.length === 0 || positionals.includes(name));
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}

void main();
