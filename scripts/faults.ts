import { readFile } from "node:fs/promises";
import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { Choice } from "./faults/generate";
import { History, KIND_NAMES, printed } from "./faults/history";
import { type Report, runHistory } from "./faults/run";
import { type Failure, newSummary, search, type Summary } from "./faults/search";
import { startWorld, type World } from "./faults/world";

const command = new Command("npm run faults --")
  .description(
    "Runs random histories of programs, people, faults and kills, and looks for what is lost, duplicated or taken from others. A history that breaks something is shrunk and printed as a program.",
  )
  .addOption(new Option("--kind <kind>", "the kind of the first resource").choices(KIND_NAMES))
  .addOption(
    new Option("--door <door>", "the front end of the resources")
      .choices(["dynamic", "native", "both"] as const)
      .default("dynamic" as const),
  )
  .addOption(
    new Option("--states <number>", "the number of stacks")
      .choices(["one", "two"] as const)
      .default("one" as const),
  )
  .option("--seed <number>", "the first seed", whole, 1)
  .option("--schedules <number>", "the number of histories of each kind", whole, 100)
  .option("--minutes <number>", "end after this time", whole)
  .option("--history <file>", "run the history of a file, as it was printed");

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError("not a whole number");
  return value;
}

async function main(): Promise<void> {
  const { kind, door, states, seed, schedules, minutes, history } = command.parse().opts();
  const world = await startWorld();
  const endMs = minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + minutes * 60_000;
  try {
    if (history !== undefined) return report(await runHistory(world, await historyIn(history)));
    for (const first of kind === undefined ? KIND_NAMES : [kind]) {
      const choice = { kind: first, kinds: KIND_NAMES, door, states };
      await runAll(world, choice, { seed, schedules, endMs });
    }
  } finally {
    await world.close();
  }
}

async function historyIn(file: string): Promise<History> {
  return History.parse(JSON.parse(await readFile(file, "utf8")));
}

interface Amount {
  readonly seed: number;
  readonly schedules: number;
  readonly endMs: number;
}

async function runAll(
  world: World,
  choice: Choice,
  { seed, schedules, endMs }: Amount,
): Promise<void> {
  const { kind, door, states } = choice;
  const name = `${kind}, ${door}, ${states === "one" ? "one state" : "two states"}`;
  const start = performance.now();
  const summary = newSummary();
  for (let at = 0; at < schedules && Date.now() < endMs; at += 1) {
    const failure = await search(world, choice, seed + at, summary);
    if (failure !== undefined) print(name, failure);
    if ((at + 1) % 25 === 0)
      console.error(`${name}: ${at + 1} of ${schedules}, ${summary.broken.length} broken`);
  }
  const each = Math.round((performance.now() - start) / Math.max(summary.schedules, 1));
  console.log(
    `${name}: ${summary.schedules} schedules from seed ${seed}, ${summary.broken.length} broken (${summary.broken.join(", ") || "none"}), ${each} ms each`,
  );
  for (const line of countsOf(summary)) console.log(`  ${line}`);
  if (summary.broken.length > 0) process.exitCode = 1;
}

function print(name: string, { seed, history, report: { lines, violations } }: Failure): void {
  const text = [
    `${name}, seed ${seed}, shrunk:`,
    printed(history),
    "what happens:",
    ...lines,
    ...violations.map((violation) => `!! ${violation}`),
  ];
  console.log(`${text.join("\n")}\n`);
}

function report({ lines, violations, risks }: Report): void {
  console.log([...lines, ...risks.map((risk) => `known risk met: ${risk}`)].join("\n"));
  console.log(violations.map((violation) => `!! ${violation}`).join("\n") || "everything holds");
  if (violations.length > 0) process.exitCode = 1;
}

function countsOf({ risks, faults, steps }: Summary): string[] {
  const row = (name: string, counts: ReadonlyMap<string, number>): string => {
    const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
    return `${name}: ${sorted.map(([key, count]) => `${key} ${count}`).join(", ") || "none"}`;
  };
  return [row("known risks met", risks), row("faults planned", faults), row("steps", steps)];
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
