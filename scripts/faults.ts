import { parseArgs } from "node:util";
import { KINDS, type KindName, runSchedule } from "./faults/schedule";
import type { DoorName } from "./faults/trial";
import { startWorld } from "./faults/world";

const USAGE = `npm run faults -- [--kind ${Object.keys(KINDS).join("|")}] [--door dynamic|native] [--seed N] [--schedules N]`;

/** Runs schedules with consecutive seeds; prints the history of each that breaks something. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kind: { type: "string" },
      door: { type: "string", default: "dynamic" },
      seed: { type: "string", default: "1" },
      schedules: { type: "string", default: "100" },
    },
  });
  const kinds = kindsOf(values.kind);
  const [seed, schedules] = [Number(values.seed), Number(values.schedules)];
  const { door } = values;
  if (
    !Number.isInteger(seed) ||
    !Number.isInteger(schedules) ||
    kinds.length === 0 ||
    !isDoor(door)
  )
    throw new Error(`usage: ${USAGE}`);
  const world = await startWorld();
  try {
    for (const kind of kinds) {
      const start = performance.now();
      const broken: number[] = [];
      for (let at = 0; at < schedules; at += 1) {
        const { violations, history } = await runSchedule(world, kind, seed + at, door);
        if (violations.length > 0) {
          broken.push(seed + at);
          const lines = [
            `${kind}, ${door}, seed ${seed + at}:`,
            ...history,
            ...violations.map((v) => `!! ${v}`),
          ];
          console.log(`${lines.join("\n")}\n`);
        }
        if ((at + 1) % 25 === 0)
          console.error(`${kind}: ${at + 1} of ${schedules}, ${broken.length} broken`);
      }
      const each = (performance.now() - start) / schedules;
      console.log(
        `${kind}, ${door}: ${schedules} schedules from seed ${seed}, ${broken.length} broken (${broken.join(", ") || "none"}), ${Math.round(each)} ms each`,
      );
      if (broken.length > 0) process.exitCode = 1;
    }
  } finally {
    await world.close();
  }
}

function isDoor(name: string): name is DoorName {
  return name === "dynamic" || name === "native";
}

function kindsOf(name: string | undefined): KindName[] {
  const kinds: KindName[] = ["deployment", "listener", "thread"];
  return name === undefined ? kinds : kinds.filter((kind) => kind === name);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
