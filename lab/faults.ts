import { readFile } from "node:fs/promises";
import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { type Environment, startEnvironment } from "./faults/environment";
import { History, RESOURCE_TYPE_NAMES } from "./faults/history";
import { startRealPlatform } from "./faults/real/platform";
import { type Report, runHistory } from "./faults/run";
import { search } from "./faults/search";

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

type Options = ReturnType<typeof command.opts>;

async function main(): Promise<void> {
  const { history, ...options } = command.parse().opts();
  if (history === undefined) return runAll(options);
  const one = History.parse(JSON.parse(await readFile(history, "utf8")));
  await inEnvironment(options, async (environment) => {
    const report = await runHistory(environment, one);
    print(report.lines, report);
  });
}

async function inEnvironment(
  { engine }: Options,
  work: (environment: Environment) => Promise<void>,
): Promise<void> {
  const environment = await (engine ? startRealPlatform() : startEnvironment());
  await work(environment).finally(environment.close);
}

/** Each has workspaces of its own, and a platform looks for a key among all of them. */
const HISTORIES_OF_AN_ENVIRONMENT = 50;

/** Runs the histories of a choice; Ctrl-C ends it after the one that is going on. */
async function runAll(options: Options): Promise<void> {
  const { seed: first, schedules, minutes = Infinity, bail = false, engine = false } = options;
  const startMs = performance.now();
  const broken: number[] = [];
  const risks: string[] = [];
  let [count, interrupted, isStopped] = [0, 0, false];
  process.once("SIGINT", () => (isStopped = true));
  const isBroken = (): boolean => bail && broken.length > 0;
  const isLate = (): boolean => performance.now() - startMs > minutes * 60_000;
  const isOver = (): boolean => isStopped || count >= schedules || isLate() || isBroken();
  while (!isOver())
    await inEnvironment(options, async (environment) => {
      for (const end = count + HISTORIES_OF_AN_ENVIRONMENT; count < end && !isOver();) {
        const seed = first + count;
        const run = await search(environment, options, { seed, shrinks: !bail });
        count += 1;
        risks.push(...run.risks);
        if (run.violations.length > 0) {
          broken.push(seed);
          print([`seed ${seed}:`, run.history, "what happens:", ...run.lines], run);
        }
        const met = engine ? run.lines.find((line) => /^ +(kill|Ctrl-C)/.test(line)) : undefined;
        if (met !== undefined) interrupted += 1;
        if (engine || count % 25 === 0 || isBroken())
          console.error(`${count} of ${schedules} histories, ${broken.length} broken${met ?? ""}`);
      }
    });
  const met = [...Map.groupBy(risks, (risk) => risk)].map(([risk, all]) => `${risk} ${all.length}`);
  const seconds = Math.round((performance.now() - startMs) / 1000);
  if (engine) console.log(`interrupted: ${interrupted}`);
  console.log(`known risks met: ${met.join(", ") || "none"}`);
  console.log(`broken seeds: ${broken.join(", ") || "none"}`);
  console.log(`${count} histories, ${broken.length} broken in ${seconds} s`);
}

/** Something broken makes the exit code 1. */
function print(lines: readonly string[], { violations }: Pick<Report, "violations">): void {
  console.log([...lines, ...violations.map((violation) => `!! ${violation}`)].join("\n"));
  if (violations.length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
