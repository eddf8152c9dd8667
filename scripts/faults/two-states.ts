import type { Checkpoint } from "./checkpoint";
import { inStack, renamed } from "./checkpoint";
import { Ledger } from "./ledger";
import { Random } from "./random";
import { isOver, repairAndDestroy } from "./repair";
import { KINDS, type KindName, type Report } from "./schedule";
import { type Habits, isProvisional, type Party, StackRun } from "./stack";
import type { Subject } from "./subject";
import type { DoorName, Place, Trial } from "./trial";
import { Replicas } from "./weather";
import { makeWorkspace, type World } from "./world";

/** The way in which two programs come to declare the same thing. */
const SITUATIONS = [
  "two backends",
  "two backends",
  "two backends",
  "a renamed stack",
  "a renamed stack",
  "a moved resource",
  "a moved resource",
  "an imported export",
  "an imported export",
  "both doors",
  "another door",
] as const;

/** Two creates may come right after one another, within the lag of a replica, or far apart. No two have the same time. */
const PAUSES_MS = [10, 1_500, 30_000, 30_000] as const;

/**
 * Runs one random schedule of two programs on one workspace, each with a state of its own or both in one: their commands
 * interleave, also within one another, and meet faults and kills. Neither may touch what the other has made.
 */
export async function runTwoStates(
  world: World,
  kind: KindName,
  seed: number,
  door: DoorName = "dynamic",
): Promise<Report> {
  const random = new Random(seed);
  const history: string[] = [];
  const note = (line: string): void => void history.push(line);
  const workspace = makeWorkspace(world, `two ${kind} ${door} ${seed}`);
  const run = new TwoStates({ world, workspace, random, note }, kind, door);
  const { ledger } = run;
  try {
    await run.storm();
    if (!isOver(ledger)) await repairAndDestroy(run.stacks, ledger, { random, note });
  } finally {
    await run.sweep();
  }
  return { seed, violations: [...new Set(ledger.violations)], risks: [...ledger.risks], history };
}

type Common = Pick<Trial, "world" | "workspace" | "random" | "note">;

class TwoStates {
  readonly ledger = new Ledger();
  readonly stacks: StackRun[] = [];
  readonly #common: Common;
  readonly #kind: KindName;
  readonly #door: DoorName;
  readonly #replicas: Replicas;
  readonly #habits: Habits;
  /** Former states of the first stack. */
  readonly #exports: Checkpoint[] = [];

  constructor(common: Common, kind: KindName, door: DoorName) {
    const { random, world } = common;
    this.#common = common;
    this.#kind = kind;
    this.#door = door;
    this.#replicas = new Replicas(world.now);
    this.#habits = {
      killsEngines: random.chance(0.3),
      retries: random.chance(0.25),
      pauseMs: () => random.pick(PAUSES_MS),
    };
  }

  async storm(): Promise<void> {
    const { random, note } = this.#common;
    const situation = random.pick(SITUATIONS);
    note(`situation: ${situation}`);
    const place: Place = { stack: "test", door: this.#door };
    const first = await this.#party("A", place);
    if (situation === "both doors") {
      const second = this.#twin("B", first, { stack: "test", door: otherDoor(place.door) });
      this.#stack("A", [first, second]);
    } else this.#stack("A", [first]);
    if (situation === "two backends") this.#second(first, "test");
    else await this.#steps(1 + random.below(3));
    if (isOver(this.ledger)) return;
    await this.#turn(situation, first);
    await this.#steps(4 + random.below(5));
  }

  /** Deletes by hand what is left: the agent server serves other schedules too. */
  async sweep(): Promise<void> {
    const subject = this.stacks[0]?.parties[0]?.subject;
    for (const id of (await subject?.live()) ?? [])
      await subject?.remove(id).catch(() => undefined);
  }

  /** The origin of the second program. */
  async #turn(situation: (typeof SITUATIONS)[number], first: Party): Promise<void> {
    const { random, note } = this.#common;
    const [stack] = this.stacks;
    if (stack === undefined) return;
    if (situation === "another door") {
      first.place.door = otherDoor(first.place.door);
      note(`A: program: through the ${first.place.door} door, without an alias`);
    } else if (situation === "a renamed stack") {
      stack.rename("renamed");
      note("A: pulumi stack rename renamed");
      // Its derived names and ids are others from now on: what an unfinished create has left, a person must know of.
      const live = await first.subject.live();
      for (const id of live.filter((other) => !stack.holds(other))) this.ledger.hear("A", id);
      this.#second(first, "test");
    } else if (situation === "a moved resource") this.#move(stack, this.#second(first, "other"));
    else if (situation === "an imported export") {
      const second = this.#second(first, "test");
      const checkpoint = random.pick([stack.engine.checkpoint, ...this.#exports]);
      second.engine.load(checkpoint);
      for (const stored of checkpoint.resources)
        if (!isProvisional(stored)) this.ledger.shared.add(stored.id);
      note(
        `B: pulumi stack import, an export of A with ${checkpoint.resources.map(({ id }) => id).join() || "no resource"} and ${checkpoint.creating.length} pending`,
      );
    }
  }

  /** As `pulumi state move`: pending operations stay. */
  #move(from: StackRun, to: StackRun): void {
    const { resources, creating } = from.engine.checkpoint;
    const moved = renamed({ resources, creating: [] }, (urn) => inStack(urn, "other"));
    from.engine.load({ resources: [], creating });
    to.engine.load(moved);
    for (const { id } of resources) this.ledger.give(id, "B");
    this.#common.note(`B: pulumi state move, ${resources.map(({ id }) => id).join() || "nothing"}`);
  }

  async #steps(steps: number): Promise<void> {
    const { random } = this.#common;
    for (let left = steps; left > 0 && !isOver(this.ledger); left -= 1) {
      const stack = this.stacks[random.below(this.stacks.length)];
      if (stack === undefined) return;
      await this.#between(stack);
      const other = this.stacks.find((another) => another !== stack);
      if (other && random.chance(0.2)) stack.meanwhile(random.below(5), () => other.anyCommand());
      await this.#command(stack);
      if (stack === this.stacks[0]) this.#exports.push(stack.engine.checkpoint);
    }
  }

  /** A person may do at once what an error says. */
  async #command(stack: StackRun): Promise<void> {
    const { random } = this.#common;
    const { isGreen, errors } = await stack.anyCommand();
    if (isGreen || isOver(this.ledger) || !random.chance(0.3)) return;
    await stack.obey(errors);
    await stack.up();
    stack.settle();
  }

  /** The event between two commands: to a program, or to things by other clients. */
  async #between(stack: StackRun): Promise<void> {
    const { random, note } = this.#common;
    for (const { name, subject } of stack.parties) {
      const change = random.chance(0.4) ? subject.change(stack.isUnfinished) : undefined;
      if (change !== undefined) note(`${name}: program: ${change}`);
      const isDisturbed = random.chance(0.06);
      const disturbance = isDisturbed ? await subject.disturb() : undefined;
      if (disturbance !== undefined) {
        for (const disturbed of this.stacks) disturbed.isDisturbed = true;
        note(`somebody: ${disturbance}`);
      }
      const doom = random.chance(0.1) ? await subject.doom() : undefined;
      if (doom !== undefined) note(`service: ${doom}`);
      if (random.chance(0.3)) await this.#use(subject);
    }
  }

  async #use(subject: Subject): Promise<void> {
    const { random, note } = this.#common;
    const live = await subject.live();
    const id = live[random.below(live.length)];
    const use = id === undefined ? undefined : await subject.use(id);
    if (id === undefined || use === undefined) return;
    this.ledger.used.add(id);
    note(`somebody: ${use}`);
  }

  /** The stack of the second program, which is the first one's or differs in one thing. */
  #second(first: Party, stack: string): StackRun {
    const { random, note } = this.#common;
    const second = this.#twin("B", first, { stack, door: first.place.door });
    if (random.chance(0.4)) note(`B: program: ${second.subject.change(false)}`);
    return this.#stack("B", [second]);
  }

  #stack(name: string, parties: readonly Party[]): StackRun {
    const stack = new StackRun({
      name,
      parties,
      trial: this.#common,
      ledger: this.ledger,
      replicas: this.#replicas,
      habits: this.#habits,
    });
    this.stacks.push(stack);
    return stack;
  }

  async #party(name: string, place: Place): Promise<Party> {
    return { name, place, subject: await KINDS[this.#kind](this.#trialOf(name, place)) };
  }

  #twin(name: string, { subject }: Party, place: Place): Party {
    return { name, place, subject: subject.twin(this.#trialOf(name, place)) };
  }

  #trialOf(name: string, place: Place): Trial {
    return {
      ...this.#common,
      place,
      ownName: `of-${name.toLowerCase()}`,
      isOthers: (id) => this.#isOthers(name, id),
    };
  }

  /** Things that another program has created, or alone has in its state. */
  #isOthers(name: string, id: string): boolean {
    if (!this.ledger.shared.has(id)) {
      const maker = this.ledger.makerOf(id)?.by;
      return maker !== undefined && maker !== name;
    }
    const own = this.stacks.find(({ parties }) => parties.some((party) => party.name === name));
    return own?.holds(id) !== true && this.stacks.some((stack) => stack.holds(id));
  }
}

function otherDoor(door: DoorName): DoorName {
  return door === "native" ? "dynamic" : "native";
}
