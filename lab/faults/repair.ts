import type { Command } from "./history";
import { BY_HAND, type Ledger } from "./ledger";
import { followAdvice, type Stage } from "./actors";
import type { StackRun } from "./commands";
import type { StepError } from "./provider";

/** One name that is taken, one thing of its own that is left, and one more. */
const MOST_UPS = 3;

/** Without faults every program must come up within a few tries, whatever has happened, and leave nothing behind. */
export async function repairAndDestroy(
  stage: Stage,
  { refreshes, backwards }: { readonly refreshes: boolean; readonly backwards: boolean },
): Promise<void> {
  const { stacks, ledger, note } = stage;
  note("all faults are over: each program is brought up");
  for (const stack of stacks) {
    for (const part of stack.parts) {
      part.retains = false;
      part.ignored = [];
      part.subject.repair();
    }
    // A change by another client is seen by a refresh alone.
    if (stack.needsRefresh || refreshes) await stack.run(commandOf(stack, "refresh"));
  }
  for (const stack of stacks) {
    const isRefreshed = stack.needsRefresh || refreshes;
    await bringUp(stack, stage);
    // So is an update that was killed, where the program has gone back to what the state has.
    if (isRefreshed || !stack.needsRefresh) continue;
    await stack.run(commandOf(stack, "refresh"));
    await bringUp(stack, stage);
  }
  if (isOver(ledger)) return;
  await compare(stage);
  if (isOver(ledger)) return;
  const left = backwards ? stacks.toReversed() : [...stacks];
  for (let stack = left.shift(); stack !== undefined; stack = left.shift())
    await destroy(stack, left, ledger);
}

/** After a risk was met two states may have the same thing. */
export function isOver({ risks, violations }: Ledger): boolean {
  return violations.length > 0 || [...risks].some((risk) => risk !== "imported");
}

function commandOf({ name }: StackRun, run: Command["run"]): Command {
  return { run, of: name, continueOnError: true, faults: [] };
}

async function bringUp(stack: StackRun, { ledger, note }: Stage): Promise<void> {
  for (let ups = 1; !isOver(ledger); ups += 1) {
    const { isGreen, errors } = await stack.run(commandOf(stack, "up"));
    // Only a person can tell the copies apart that two stacks have made and not confirmed.
    if (messagesOf(errors).includes("may be another client's copy"))
      ledger.risks.add("unconfirmed");
    const isSettled = !stack.parts.map(({ subject }) => subject.settle()).includes(true);
    if (isGreen && isSettled) return;
    if (!isGreen && ups >= MOST_UPS) {
      ledger.violations.push(`still not up after ${ups} tries: ${messagesOf(errors)}`);
      return;
    }
    const done = isGreen ? undefined : await followAdvice(stack);
    if (done !== undefined) note(`${stack.name}: do what the errors say: ${done}`);
  }
}

async function compare({ stacks, ledger, note }: Stage): Promise<void> {
  const { violations, shared, retained } = ledger;
  const held = stacks.flatMap(heldBy);
  const live = await liveIn(stacks);
  for (const id of live.filter((other) => !held.includes(other)))
    if (retained.has(id) || ledger.makerOf(id)?.by === BY_HAND) continue;
    else if (ledger.hasNamed(id)) {
      note(`somebody: deletes ${id}, which a message has named`);
      await remove(stacks, id);
    } else violations.push(`in no state, and no message has named it: ${id}`);
  // What a killed gate has left of something that somebody deletes goes with the next gate on the server, days later.
  for (const id of await liveIn(stacks))
    if (!live.includes(id) && ledger.makerOf(id) === undefined) await remove(stacks, id);
  for (const [at, id] of held.entries()) {
    if (shared.has(id)) continue;
    if (!live.includes(id)) violations.push(`in a state, and not there: ${id}`);
    if (held.indexOf(id) !== at) violations.push(`held twice: ${id}`);
  }
  for (const stack of stacks) await compareStack(stack, ledger);
}

async function compareStack(stack: StackRun, ledger: Ledger): Promise<void> {
  const { violations, shared, used } = ledger;
  if (heldBy(stack).some((id) => shared.has(id))) return;
  for (const part of stack.parts.filter(({ isDeclared }) => isDeclared)) {
    for (const stored of stack.storedOf(part).filter(({ id }) => !used.has(id)))
      violations.push(...(await part.subject.wrongAtRest(stored)));
  }
  const { steps } = await stack.run(commandOf(stack, "preview"));
  if (steps.length > 0) violations.push(`the next preview is not clean: ${steps.join()}`);
  await stack.run(commandOf(stack, "up"));
  if (stack.writes > 0) violations.push(`an up without a change sent ${stack.writes} writes`);
}

async function destroy(
  stack: StackRun,
  others: readonly StackRun[],
  ledger: Ledger,
): Promise<void> {
  const { violations, shared, retained } = ledger;
  const { isGreen, errors } = await stack.run(commandOf(stack, "destroy"));
  if (!isGreen) violations.push(`destroy failed: ${messagesOf(errors)}`);
  const held = others.flatMap(heldBy);
  const live = await liveIn([stack]);
  const isOthers = (id: string) => ledger.makerOf(id)?.by === BY_HAND || ledger.isKept(id);
  for (const id of live)
    if (!held.includes(id) && !retained.has(id) && !isOthers(id))
      violations.push(`left after the destroy: ${id}`);
  for (const id of held)
    if (!live.includes(id) && !shared.has(id))
      violations.push(`gone after the destroy of ${stack.name}: ${id} of another state`);
}

function messagesOf(errors: readonly StepError[]): string {
  return errors.map(({ message }) => message).join("; ");
}

function heldBy(stack: StackRun): string[] {
  return stack.engine.state.filter(({ isGone }) => !isGone).map(({ id }) => id);
}

/** The ids of all things of the stacks' kinds. */
async function liveIn(stacks: readonly StackRun[]): Promise<string[]> {
  const all = stacks.flatMap(({ parts }) => parts.map(({ subject }) => subject.live()));
  return [...new Set((await Promise.all(all)).flat())];
}

/** Deletes by hand what has this id, whatever it is. */
async function remove(stacks: readonly StackRun[], id: string): Promise<void> {
  for (const { parts } of stacks)
    for (const { subject } of parts)
      if ((await subject.live()).includes(id)) await subject.remove(id);
}
