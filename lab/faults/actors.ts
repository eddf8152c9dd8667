import { renamed, inStack } from "./checkpoint";
import type { ActorStep } from "./history";
import { isPlaceholder } from "./invariants";
import { BY_HAND } from "./ledger";
import { KINDS, orderOfClass, Part } from "./part";
import { Random } from "./random";
import type { StackRun } from "./commands";
import type { Place, Scenario, Trial } from "./trial";

/** The stacks of a scenario, which people change. */
export interface Stage extends Scenario {
  readonly stacks: StackRun[];
  readonly trialOf: (name: string, place: Place) => Trial;
  readonly newStack: (name: "B") => StackRun;
}

/** A deletion has ended after this time. */
const DELETED_MS = 30_000;

type Way = (stage: Stage, acted: Acted) => Promise<string | undefined> | string | undefined;

/** The stack and the resource of a step, and the choice between ways of doing it. */
interface Acted {
  readonly stack: StackRun;
  readonly part: Part;
  readonly random: Random;
}

/** Does what a person or the service does between two commands; what can't be done now is left out. */
export async function act(stage: Stage, step: ActorStep): Promise<void> {
  const stack = stage.stacks.find(({ name }) => name === step.of) ?? stage.stacks[0];
  const part = stack?.parts[step.thing % stack.parts.length];
  if (stack === undefined || part === undefined) return;
  const random = new Random(step.how);
  const done = await WAYS[step.does](stage, { stack, part, random });
  if (done !== undefined) stage.note(`${part.name}: ${step.does}: ${done}`);
}

const WAYS: Readonly<Record<ActorStep["does"], Way>> = {
  change: (_, { part, random }) => part.subject.change(random, part.isUnfinished),
  "change three things": (_, { part, random }) =>
    [0, 1, 2].map(() => part.subject.change(random, part.isUnfinished)).join("; "),
  "take a change back": (_, { part }) => part.subject.takeBack(part.isUnfinished),
  rename: (_, acted) => carry(acted, rename),
  "rename with an alias": (_, acted) => carry(acted, rename, true),
  "move to the other front end": (_, acted) => carry(acted, changeFrontEnd),
  "move to the other front end with an alias": (_, acted) => carry(acted, changeFrontEnd, true),
  "remove or add": (_, { part }) => {
    // An interrupted create of a resource that is no longer declared leaves its thing: only people can know of it.
    if (part.isUnfinished) return undefined;
    part.isDeclared = !part.isDeclared;
    return part.isDeclared ? "added" : "removed";
  },
  "toggle adoptExisting": (_, { part }) => part.subject.toggleAdoption(),
  "toggle retainOnDelete": (_, { part }) => String((part.retains = !part.retains)),
  "toggle ignoreChanges": (_, { stack, part, random }) => {
    // What an update had sent before it failed counts as another client's then, which a refresh alone shows.
    stack.needsRefresh = true;
    const ignorable = part.subject.ignorable();
    part.ignored =
      part.ignored.length > 0 ? [] : ignorable.slice(random.below(ignorable.length)).slice(0, 1);
    return part.ignored.join() || "nothing";
  },
  "rotate what is ignored": (stage, { part }) => {
    const [path] = part.ignored;
    return path === undefined ? undefined : drifted(stage, part.subject.rotate(path));
  },
  "change by hand": (stage, { part, random }) => drifted(stage, part.subject.drift(random)),
  "delete by hand": deleteByHand,
  "create by hand": (stage, { part }) => createConflicting(stage, part),
  use: async ({ ledger }, { stack, part }) => {
    const [own] = stack.storedOf(part).filter(({ isGone }) => !isGone);
    const use = own && (await part.subject.use(own.id).catch(() => undefined));
    if (own && use !== undefined) ledger.used.add(own.id);
    return use;
  },
  "take another's name": (_, acted) => takeName(acted, false),
  "hand a name over": (_, acted) => takeName(acted, true),
  "meet another client's name": async (stage, { part, random }) => {
    const name = `${part.place.logicalName}-met-${random.below(3)}`;
    const taken = part.isUnfinished ? undefined : part.subject.take(name);
    return taken && `${taken}, ${await createConflicting(stage, part)}`;
  },
  "lose a name to another client": async (stage, acted) => {
    const { stack, part } = acted;
    const [name] = stack
      .storedOf(part)
      .flatMap(({ outputs }) => part.subject.nameIn(outputs) ?? []);
    const deleted = name === undefined ? undefined : await deleteByHand(stage, acted);
    if (name === undefined || deleted === undefined) return undefined;
    part.subject.take(name);
    await stage.environment.advance(DELETED_MS);
    return `${deleted}, ${await createConflicting(stage, part)}`;
  },
  "fail the next stage": (_, { part, random }) => part.subject.injectFailure(random),
  push: (_, { part, random }) => part.subject.push(random),
  "do what the errors say": (_, { stack }) => followAdvice(stack),
  "state delete": (stage, { stack, part }) => {
    const stored = stack.storedOf(part);
    for (const { urn, id } of stored) {
      stack.engine.forget(urn);
      stage.ledger.record(part.name, id);
    }
    return stored.map(({ id }) => id).join() || undefined;
  },
  "restore an older state": (stage, { stack, random }) => restore(stage, stack, random),
  "stack rename": async (stage, { stack }) => {
    stack.rename(stack.parts[0]?.place.stack === "test" ? "renamed" : "test");
    // Its derived names and ids are others from now on: people must know what an unfinished create has left.
    await recordUnheld(stage, stack);
    return stack.parts[0]?.place.stack;
  },
  "begin on another backend": (stage, { stack, random }) =>
    second(stage, stack, "test", random)?.name,
  "state move": moveState,
  "import an export": (stage, { stack, random }) => importExport(stage, stack, random),
};

async function deleteByHand(stage: Stage, { stack, part }: Acted): Promise<string | undefined> {
  const [own] = stack.storedOf(part).filter(({ isGone }) => !isGone);
  if (own === undefined || isPlaceholder(own)) return undefined;
  return drifted(
    stage,
    part.subject.remove(own.id).then(() => own.id),
  );
}

async function createConflicting(
  { ledger }: Stage,
  { subject }: Part,
): Promise<string | undefined> {
  const id = await subject.createConflicting();
  if (id === undefined) return undefined;
  ledger.made(id, BY_HAND, Number.NEGATIVE_INFINITY);
  return id;
}

/** Another resource of the kind has the name, and gives it up by leaving the program or not. */
function takeName({ stack, part }: Acted, isGivenUp: boolean): string | undefined {
  const other = stack.parts.find((one) => one !== part && one.kind === part.kind);
  const [held] = other ? stack.storedOf(other) : [];
  const name = held && part.subject.nameIn(held.outputs);
  if (other === undefined || name === undefined) return undefined;
  if (part.isUnfinished || other.isUnfinished) return undefined;
  if (isGivenUp) other.isDeclared = false;
  return part.subject.take(name);
}

/**
 * Changes the URN of a resource, with an alias or without. A create that was lost finds its thing by what identifies it,
 * which stays until it is found.
 */
function carry(
  { stack, part }: Acted,
  change: (part: Part) => string,
  withAlias = false,
): string | undefined {
  if (part.isUnfinished) return undefined;
  const { urn } = part.declared();
  const done = change(part);
  part.aliases = withAlias ? [urn] : [];
  stack.know(urn, part);
  return done;
}

function rename({ place }: Part): string {
  const { logicalName: name } = place;
  return (place.logicalName = name.endsWith("x") ? name.slice(0, -1) : `${name}x`);
}

function changeFrontEnd(part: Part): string {
  part.place.frontEnd = part.place.frontEnd === "native" ? "dynamic" : "native";
  if (part.place.frontEnd === "dynamic") part.deleteBeforeReplace ??= orderOfClass(part.kind);
  return part.place.frontEnd;
}

async function drifted(
  { stacks }: Stage,
  change: Promise<string | undefined>,
): Promise<string | undefined> {
  const done = await change;
  if (done !== undefined) for (const stack of stacks) stack.needsRefresh = true;
  return done;
}

/** Does what the errors of the last command say. */
export async function followAdvice(stack: StackRun): Promise<string | undefined> {
  const done: string[] = [];
  for (const { urn, message } of stack.lastErrors) {
    const part = stack.partOf(urn);
    const [, holder] = /run `pulumi destroy --target '(\S+)'`/.exec(message) ?? [];
    const held = holder && stack.partOf(holder);
    if (held && !held.isDeclared) {
      const target = [stack.parts.indexOf(held)];
      done.push(`pulumi destroy --target ${held.name}`);
      await stack.run({ run: "up", of: stack.name, target, faults: [] });
      continue;
    }
    const followed = await part.subject.followAdvice(message, stack.storedOf(part));
    if (followed === undefined) continue;
    done.push(followed);
    const [, alias] = /^aliases: (\S+)$/.exec(followed) ?? [];
    if (alias !== undefined) part.aliases = [alias];
    if (followed === "deleteBeforeReplace: true") part.deleteBeforeReplace = true;
    const [, imported] = /^pulumi import (\S+)$/.exec(followed) ?? [];
    if (imported !== undefined) await stack.import(part, imported);
  }
  // Only a refresh shows that it was the stack's own.
  if (done.some((what) => what.startsWith("deletes "))) stack.needsRefresh = true;
  if (done.some((what) => what.includes("refresh")))
    await stack.run({ run: "refresh", of: stack.name, faults: [] });
  return done.length > 0 ? done.join("; ") : undefined;
}

/** As `pulumi stack import` of an export of the same stack. */
async function restore(stage: Stage, stack: StackRun, random: Random): Promise<string | undefined> {
  const older = stack.exports.at(-1 - random.below(4));
  if (older === undefined) return undefined;
  stack.load(older);
  // What was moved to another state meanwhile is in both now, and may be gone by that one.
  const isMoved = (id: string) => {
    const { by } = stage.ledger.makerOf(id) ?? {};
    const others = stage.stacks.filter((other) => other !== stack);
    return others.some((other) => other.holds(id) || other.parts.some(({ name }) => name === by));
  };
  for (const { id } of older.resources) if (isMoved(id)) stage.ledger.shared.add(id);
  stack.needsRefresh = stack.isRestored = true;
  await recordUnheld(stage, stack);
  return older.resources.map(({ id }) => id).join() || "an empty one";
}

/** People know of what no state has. */
async function recordUnheld({ ledger, stacks }: Stage, stack: StackRun): Promise<void> {
  for (const { name, subject } of stack.parts)
    for (const id of await subject.live())
      if (!stacks.some((other) => other.holds(id))) ledger.record(name, id);
}

/** The second stack, whose program declares what the first one's does; there is at most one. */
function second(
  stage: Stage,
  first: StackRun,
  stackName: string,
  random: Random,
): StackRun | undefined {
  if (stage.stacks.length > 1) return undefined;
  const stack = stage.newStack("B");
  // What a person has changed may come with it.
  stack.needsRefresh = first.needsRefresh;
  for (const [at, part] of first.parts.entries()) {
    const place = { ...part.place, stack: stackName };
    const name = `B.${at}`;
    const args = structuredClone(part.subject.args());
    const subject = KINDS[part.kind].subject(stage.trialOf(name, place), args);
    const twin = new Part(name, part.kind, place, subject, part.deleteBeforeReplace);
    if (random.chance(0.3)) twin.subject.change(random, false);
    stack.parts.push(twin);
    stage.note(`${name} is a ${twin.described()}`);
  }
  return stack;
}

/** As `pulumi state move` of one resource; pending operations stay. */
function moveState(stage: Stage, { stack, part, random }: Acted): string | undefined {
  const other = stage.stacks.length === 1 ? second(stage, stack, "other", random) : undefined;
  const at = stack.parts.indexOf(part);
  const target = other?.parts[at];
  if (other === undefined || target === undefined) return undefined;
  const moved = stack.storedOf(part);
  const { resources, creating } = stack.engine.checkpoint;
  const checkpoint = { resources: moved, creating: [] };
  for (const { urn, id } of moved) {
    other.know(inStack(urn, "other"), target);
    stage.ledger.give(id, target.name);
  }
  stack.engine.load({ resources: resources.filter((stored) => !moved.includes(stored)), creating });
  other.engine.load(renamed(checkpoint, (urn) => inStack(urn, "other")));
  other.isRestored = true;
  return moved.map(({ id }) => id).join() || "nothing";
}

function importExport(stage: Stage, stack: StackRun, random: Random): string | undefined {
  const other = second(stage, stack, "test", random);
  const checkpoint = stack.exports.at(-1 - random.below(3)) ?? stack.engine.checkpoint;
  if (other === undefined) return undefined;
  for (const { urn, id } of [
    ...checkpoint.resources,
    ...checkpoint.creating.map((create) => ({ ...create, id: "unconfirmed:" })),
  ]) {
    const target = other.parts[stack.parts.indexOf(stack.partOf(urn))];
    if (target) other.know(urn, target);
    if (!isPlaceholder({ id })) stage.ledger.shared.add(id);
  }
  other.engine.load(checkpoint);
  other.isRestored = true;
  return `${checkpoint.resources.length} resources, ${checkpoint.creating.length} pending`;
}
