import { deploymentSubject } from "./deployment";
import { Ledger, type Risk } from "./ledger";
import { listenerSubject } from "./listener";
import { Random } from "./random";
import { repairAndDestroy } from "./repair";
import { StackRun } from "./stack";
import type { Subject } from "./subject";
import { threadSubject } from "./thread";
import type { DoorName, Trial } from "./trial";
import { Replicas } from "./weather";
import { makeWorkspace, type World } from "./world";

/** The kinds of resources that schedules are made for. */
export const KINDS = {
  deployment: deploymentSubject,
  listener: listenerSubject,
  thread: threadSubject,
} satisfies Record<string, (trial: Trial) => Promise<Subject>>;
export type KindName = keyof typeof KINDS;

/** The result of a schedule. */
export interface Report {
  readonly seed: number;
  /** Violations; none when everything holds. */
  readonly violations: readonly string[];
  /** The known risks that it met; what came after one of them is not judged. */
  readonly risks: readonly Risk[];
  readonly history: readonly string[];
}

const BETWEEN_COMMANDS_MS = 30_000;

/**
 * Runs one random schedule of one state: commands that meet faults and kills, while the program and the world change
 * between them. Then the world is repaired, the program is brought up, and everything is compared.
 */
export async function runSchedule(
  world: World,
  kind: KindName,
  seed: number,
  door: DoorName = "dynamic",
): Promise<Report> {
  const random = new Random(seed);
  const history: string[] = [];
  const note = (line: string): void => void history.push(line);
  const workspace = makeWorkspace(world, `${kind} ${door} ${seed}`);
  const place = { stack: "test", door };
  const common = { world, workspace, random, note };
  const subject = await KINDS[kind]({ ...common, place, ownName: "own", isOthers: () => false });
  const ledger = new Ledger();
  const stack = new StackRun({
    name: "",
    parties: [{ name: "the program", place, subject }],
    trial: common,
    ledger,
    replicas: new Replicas(world.now),
    habits: {
      killsEngines: true,
      retries: random.chance(0.25),
      pauseMs: () => BETWEEN_COMMANDS_MS,
    },
  });
  try {
    await storm(stack, subject, common);
    await repairAndDestroy([stack], ledger, common);
  } finally {
    for (const id of await subject.live()) await subject.remove(id).catch(() => undefined);
  }
  return { seed, violations: ledger.violations, risks: [...ledger.risks], history };
}

async function storm(
  stack: StackRun,
  subject: Subject,
  { random, note }: Pick<Trial, "random" | "note">,
): Promise<void> {
  if (random.chance(0.25)) await stack.lostCreate();
  for (let steps = 3 + random.below(5); steps > 0; steps -= 1) {
    if (random.chance(0.6)) note(`program: ${subject.change(stack.isUnfinished)}`);
    if (random.chance(0.12)) {
      stack.isDisturbed = true;
      noteAny("somebody", await subject.disturb());
    }
    if (random.chance(0.2)) noteAny("service", await subject.doom());
    await stack.anyCommand();
  }

  function noteAny(who: string, what: string | undefined): void {
    if (what !== undefined) note(`${who}: ${what}`);
  }
}
