import { parseArgs } from "node:util";
import { KINDS, type KindName, type Report, runSchedule } from "./faults/schedule";
import type { DoorName } from "./faults/trial";
import { runTwoStates } from "./faults/two-states";
import { startWorld, type World } from "./faults/world";

const RUNS = { one: runSchedule, two: runTwoStates };
type States = keyof typeof RUNS;

const USAGE = `npm run faults -- [--kind ${Object.keys(KINDS).join("|")}] [--door dynamic|native] [--states one|two] [--seed N] [--schedules N]`;

/** Runs schedules with consecutive seeds; prints the history of each that breaks something. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kind: { type: "string" },
      door: { type: "string", default: "dynamic" },
      states: { type: "string", default: "one" },
      seed: { type: "string", default: "1" },
      schedules: { type: "string", default: "100" },
    },
  });
  const kinds = kindsOf(values.kind);
  const [seed, schedules] = [Number(values.seed), Number(values.schedules)];
  const { door, states } = values;
  if (
    !Number.isInteger(seed) ||
    !Number.isInteger(schedules) ||
    kinds.length === 0 ||
    !isDoor(door) ||
    !isStates(states)
  )
    throw new Error(`usage: ${USAGE}`);
  const world = await startWorld();
  try {
    for (const kind of kinds) await runAll(world, { kind, door, states, seed, schedules });
  } finally {
    await world.close();
  }
}

interface Choice {
  readonly kind: KindName;
  readonly door: DoorName;
  readonly states: States;
  readonly seed: number;
  readonly schedules: number;
}

async function runAll(world: World, choice: Choice): Promise<void> {
  const { kind, door, states, seed, schedules } = choice;
  const name = `${kind}, ${door}, ${states === "one" ? "one state" : "two states"}`;
  const start = performance.now();
  const broken: number[] = [];
  const met: Report["risks"][] = [];
  for (let at = 0; at < schedules; at += 1) {
    const { violations, history, risks } = await RUNS[states](world, kind, seed + at, door);
    if (risks.length > 0) met.push(risks);
    if (violations.length > 0) {
      broken.push(seed + at);
      const lines = [
        `${name}, seed ${seed + at}:`,
        ...history,
        ...violations.map((v) => `!! ${v}`),
      ];
      console.log(`${lines.join("\n")}\n`);
    }
    if ((at + 1) % 25 === 0)
      console.error(`${kind}: ${at + 1} of ${schedules}, ${broken.length} broken`);
  }
  const each = Math.round((performance.now() - start) / schedules);
  console.log(
    `${name}: ${schedules} schedules from seed ${seed}, ${broken.length} broken (${broken.join(", ") || "none"}), known risk met: ${counted(met)}, ${each} ms each`,
  );
  if (broken.length > 0) process.exitCode = 1;
}

/** Counts the schedules that met a risk, by risk. */
function counted(met: readonly Report["risks"][]): string {
  const counts = new Map<string, number>();
  for (const risk of met.flat()) counts.set(risk, (counts.get(risk) ?? 0) + 1);
  const parts = [...counts].map(([risk, count]) => `${risk} ${count}`);
  return parts.length === 0 ? "0" : `${met.length} (${parts.join(", ")})`;
}

function isDoor(name: string): name is DoorName {
  return name === "dynamic" || name === "native";
}

function isStates(name: string): name is States {
  return name in RUNS;
}

function kindsOf(name: string | undefined): KindName[] {
  const kinds: KindName[] = ["deployment", "listener", "thread"];
  return name === undefined ? kinds : kinds.filter((kind) => kind === name);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
