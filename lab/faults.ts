import { readFile } from "node:fs/promises";
import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { type Environment, startEnvironment } from "./faults/environment";
import { History, RESOURCE_TYPE_NAMES } from "./faults/history";
import { startRealPlatform } from "./faults/real/platform";
import { runHistory } from "./faults/run";
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

async function main(): Promise<void> {
  const { history, ...options } = command.parse().opts();
  if (history === undefined) return runAll(options);
  const one = History.parse(JSON.parse(await readFile(history, "utf8")));
  await inEnvironment(options, async (environment) => {
    const { lines, violations } = await runHistory(environment, one);
    print([...lines, ...violations.map((violation) => `!! ${violation}`)]);
    if (violations.length > 0) process.exitCode = 1;
  });
}

type Options = ReturnType<typeof command.opts>;

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
  const risks = new Map<string, number>();
  let [count, interrupted, isStopped] = [0, 0, false];
  process.once("SIGINT", () => (isStopped = true));
  const isOver = (): boolean =>
    isStopped ||
    count >= schedules ||
    performance.now() - startMs > minutes * 60_000 ||
    (bail && broken.length > 0);
  while (!isOver())
    await inEnvironment(options, async (environment) => {
      const end = count + HISTORIES_OF_AN_ENVIRONMENT;
      for (; count < end && !isOver(); count += 1) {
        const seed = first + count;
        const run = await search(environment, options, { seed, shrinks: !bail });
        for (const risk of run.risks) risks.set(risk, (risks.get(risk) ?? 0) + 1);
        if (run.violations.length > 0) {
          broken.push(seed);
          print([`seed ${seed}:`, run.history, "what happens:", ...run.lines]);
          print(run.violations.map((violation) => `!! ${violation}`));
        }
        const met = engine ? run.lines.find((line) => /^ +(kill|Ctrl-C)/.test(line)) : "";
        if (met !== undefined) interrupted += 1;
        if (engine || count % 25 === 24 || (bail && broken.length > 0))
          console.error(
            `${count + 1} of ${schedules} histories, ${broken.length} broken${met ?? ""}`,
          );
      }
    });
  const met = [...risks].map(([risk, times]) => `${risk} ${times}`).join(", ") || "none";
  const seconds = Math.round((performance.now() - startMs) / 1000);
  if (engine) print([`interrupted: ${interrupted}`]);
  print([`known risks met: ${met}`, `broken seeds: ${broken.join(", ") || "none"}`]);
  print([`${count} histories, ${broken.length} broken in ${seconds} s`]);
  if (broken.length > 0) process.exitCode = 1;
}

function print(lines: readonly string[]): void {
  if (lines.length > 0) console.log(lines.join("\n"));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
