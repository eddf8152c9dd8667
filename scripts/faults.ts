import { readFile } from "node:fs/promises";
import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { Choice } from "./faults/generate";
import { History, RESOURCE_TYPE_NAMES, printed } from "./faults/history";
import { runOnEngine } from "./faults/real";
import { type Report, runHistory } from "./faults/run";
import { type Failure, newSummary, search, type Summary } from "./faults/search";
import { startWorld, type World } from "./faults/world";

const command = new Command("npm run faults --")
  .description(
    "Runs random histories of programs, people, faults and kills, and looks for what is lost, duplicated or taken from others. A history that breaks something is shrunk and printed as a program.",
  )
  .addOption(
    new Option(
      "--kind <kind>",
      "the kind of the first resource; without it, a deployment in one of two",
    ).choices(RESOURCE_TYPE_NAMES),
  )
  .addOption(
    new Option("--front-end <name>", "the front end of the resources")
      .choices(["dynamic", "native", "both"] as const)
      .default("dynamic" as const),
  )
  .addOption(
    new Option("--states <number>", "the number of stacks")
      .choices(["one", "two"] as const)
      .default("one" as const),
  )
  .option("--seed <number>", "the first seed", whole, 1)
  .option("--schedules <number>", "the number of histories", whole, 100)
  .option("--minutes <number>", "end after this time", whole)
  .option(
    "--engine",
    "run the real engine: a command with many resources that is killed or interrupted",
  )
  .option("--bail", "end at the first history that breaks something, without shrinking it")
  .option("--history <file>", "run the history of a file, as it was printed");

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError("not a whole number");
  return value;
}

async function main(): Promise<void> {
  const { history, engine, seed, schedules, minutes, bail, ...choice } = command.parse().opts();
  const amount = { seed, schedules, minutes, bail };
  if (engine) return runEngine(choice.frontEnd, amount);
  if (history === undefined) return runAll(choice, amount);
  const one = await historyIn(history);
  await inWorld(async (world) => report(await runHistory(world, one)));
}

async function inWorld(work: (world: World) => void | Promise<void>): Promise<void> {
  const world = await startWorld();
  try {
    await work(world);
  } finally {
    await world.close();
  }
}

/** As many runs as schedules; with both front ends, the seed chooses the one of each run. */
async function runEngine(
  frontEnd: Choice["frontEnd"],
  { seed, schedules, minutes }: Amount,
): Promise<void> {
  const print = (line: string): void => console.log(line);
  const one = frontEnd === "both" ? undefined : frontEnd;
  const broken = await runOnEngine({ seed, runs: schedules, minutes, frontEnd: one, print });
  if (broken > 0) process.exitCode = 1;
}

async function historyIn(file: string): Promise<History> {
  return History.parse(JSON.parse(await readFile(file, "utf8")));
}

interface Amount {
  readonly seed: number;
  readonly schedules: number;
  readonly minutes?: number | undefined;
  readonly bail?: boolean | undefined;
}

/** Each has workspaces of its own, and a platform looks for a key among all of them. */
const HISTORIES_OF_A_WORLD = 50;

/** Runs the histories of a choice. */
async function runAll(
  choice: Choice,
  { seed, schedules, minutes = Number.POSITIVE_INFINITY, bail = false }: Amount,
): Promise<void> {
  const startMs = performance.now();
  const summary = newSummary();
  const { broken } = summary;
  const isOver = () =>
    performance.now() - startMs > minutes * 60_000 || (bail && broken.length > 0);
  const runSome = async (world: World, from: number): Promise<void> => {
    const end = Math.min(from + HISTORIES_OF_A_WORLD, schedules);
    for (let at = from; at < end && !isOver(); at += 1) {
      const failure = await search(world, choice, { seed: seed + at, shrinks: !bail }, summary);
      if (failure !== undefined) printFailure(nameOf(choice), failure);
      if ((at + 1) % 25 === 0 || (bail && broken.length > 0))
        console.error(`${at + 1} of ${schedules} histories, ${broken.length} broken`);
    }
  };
  for (let from = 0; from < schedules && !isOver(); from += HISTORIES_OF_A_WORLD)
    await inWorld((world) => runSome(world, from));
  console.log(summaryOf(nameOf(choice), seed, summary));
  const seconds = Math.round((performance.now() - startMs) / 1000);
  console.log(`${broken.length} broken in ${seconds} s`);
  if (broken.length > 0) process.exitCode = 1;
}

function nameOf({ kind, frontEnd, states }: Choice): string {
  return `${kind ?? "all kinds"}, ${frontEnd}, ${states} ${states === "one" ? "state" : "states"}`;
}

function summaryOf(name: string, seed: number, summary: Summary): string {
  const { schedules, broken, risks, faults, steps } = summary;
  const counts = [row("known risks met", risks), row("faults", faults), row("steps", steps)];
  const head = `${name}: ${schedules} histories from seed ${seed}, broken: ${broken.join(", ") || "none"}`;
  return [head, ...counts.map((line) => `  ${line}`)].join("\n");
}

function row(name: string, counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  return `${name}: ${sorted.map(([key, count]) => `${key} ${count}`).join(", ") || "none"}`;
}

function printFailure(
  name: string,
  { seed, history, report: { lines, violations } }: Failure,
): void {
  const text = [
    `${name}, seed ${seed}:`,
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

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
