import { availableParallelism, loadavg } from "node:os";
import { Argument, Command } from "@commander-js/extra-typings";
import { agents } from "./bench/agents";
import { engine } from "./bench/engine";
import { fire } from "./bench/fire";
import { local } from "./bench/local";
import { type Bench, Run } from "./bench/run";
import { format, type Table, verdictOf } from "./bench/table";
import { messageOf } from "../shared/errors";

const BENCHES: Readonly<Record<string, Bench>> = { agents, engine, local, fire };

const list = Object.entries(BENCHES).map(([name, { about }]) => `  ${name.padEnd(8)} ${about}`);

const command = new Command("npm run bench --")
  .description(
    `Measures beside a floor in the same run, and says which goals hold. Without names, all but the last:\n${list.join("\n")}`,
  )
  .addArgument(new Argument("[name...]").choices(Object.keys(BENCHES)))
  .option("--kills <number>", "the number of kills of fire", Number, 300)
  .option(
    "--minutes <number>",
    "the least time that agents puts each agent server under load",
    Number,
    0,
  )
  .addHelpText(
    "after",
    "\nExit code 1 when a goal is missed or a bench fails. A noisy run is neither: repeat it.",
  );

const LEGEND = `
A figure is the median of its repetitions (least..most); a ratio is taken within each repetition. A goal holds or is
missed when three quarters of the repetitions say so. The run was noisy where they do not agree.
`;

function show(table: Table): void {
  console.log(format(table));
  const figures = table.rows.flatMap((row) => row.figures);
  if (figures.some((figure) => verdictOf(figure) === "missed")) process.exitCode = 1;
}

async function main(): Promise<void> {
  const [names] = command.parse().processedArgs;
  const chosen = Object.entries(BENCHES).filter(([name, { isExtra = false }]) =>
    names.length === 0 ? !isExtra : names.includes(name),
  );
  const stop = new AbortController();
  const { signal } = stop;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => stop.abort(new Error(`stopped by ${name}`)));
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores`;
  console.log(`${machine}, load average ${loadavg()[0]?.toFixed(1)}\n${LEGEND}`);
  try {
    for (const [name, { measure }] of chosen) {
      const say = (text: string) => process.stderr.write(`${name}: ${text} …\n`);
      await Run.with({ signal, say, show }, (run) => measure(run, command.opts()));
    }
  } catch (error) {
    process.stderr.write(`✗ ${messageOf(error)}\n`);
    process.exitCode = signal.aborted ? 130 : 1;
  }
}

void main();
