import type { Ledger } from "./ledger";
import type { StackRun } from "./stack";
import type { Trial } from "./trial";

/** One name that is taken, one thing of its own that is left, and one more. */
const MOST_REPAIRS = 3;

/** Without faults every program must come up within a few tries, whatever has happened, and leave nothing behind. */
export async function repairAndDestroy(
  stacks: readonly StackRun[],
  ledger: Ledger,
  { random, note }: Pick<Trial, "random" | "note">,
): Promise<void> {
  note("repaired");
  for (const stack of stacks) {
    stack.calm();
    for (const { subject } of stack.parties) subject.repair();
    // A change by another client is seen by a refresh alone.
    if (stack.isDisturbed || random.chance(0.5)) await stack.refresh(random.chance(0.2));
  }
  for (const stack of stacks) await bringUp(stack, ledger);
  if (isOver(ledger)) return;
  await compare(stacks, ledger, note);
  if (isOver(ledger)) return;
  const left = random.chance(0.5) ? [...stacks] : stacks.toReversed();
  for (let stack = left.shift(); stack !== undefined; stack = left.shift()) {
    const { isGreen, errors } = await stack.destroy();
    if (!isGreen) ledger.violations.push(`destroy failed: ${errors.join("; ")}`);
    const held = left.flatMap(heldBy);
    for (const id of await liveIn(stack))
      if (!held.includes(id)) ledger.violations.push(`left after the destroy: ${id}`);
    for (const id of held)
      if (!(await liveIn(stack)).includes(id) && !ledger.shared.has(id))
        ledger.violations.push(`gone after the destroy of ${stack.name}: ${id} of another state`);
  }
}

/** After a risk was met two states may have the same thing. */
export function isOver({ risks, violations }: Ledger): boolean {
  return violations.length > 0 || [...risks].some((risk) => risk !== "imported");
}

async function bringUp(stack: StackRun, ledger: Ledger): Promise<void> {
  for (let tries = 1; !isOver(ledger); tries += 1) {
    const { isGreen, errors } = await stack.up();
    const isSettled = !stack.settle();
    if (isGreen && isSettled) return;
    if (isGreen) {
      await stack.up();
      return;
    }
    if (tries === MOST_REPAIRS * stack.parties.length) {
      ledger.violations.push(`still not up after ${tries} tries: ${errors.join("; ")}`);
      return;
    }
    await stack.obey(errors);
  }
}

async function compare(
  stacks: readonly StackRun[],
  ledger: Ledger,
  note: (line: string) => void,
): Promise<void> {
  const { violations, shared, used } = ledger;
  const held = stacks.flatMap(heldBy);
  const [first] = stacks;
  const live = first ? await liveIn(first) : [];
  for (const id of live.filter((other) => !held.includes(other)))
    if (ledger.hasNamed(id)) {
      note(`somebody: deletes ${id}, which a message has named`);
      await first?.parties[0]?.subject.remove(id);
    } else violations.push(`in no state, and no message has named it: ${id}`);
  for (const id of held.filter((other) => !live.includes(other)))
    if (!shared.has(id)) violations.push(`in a state, and not there: ${id}`);
  for (const id of held.filter((other, at) => held.indexOf(other) !== at))
    if (!shared.has(id)) violations.push(`held twice: ${id}`);
  for (const stack of stacks) {
    const isContested = heldBy(stack).some((id) => shared.has(id));
    if (isContested) continue;
    for (const { subject } of stack.parties) {
      const urns = subject.program().map(({ urn }) => urn);
      const own = stack.engine.state.filter(({ urn, id }) => urns.includes(urn) && !used.has(id));
      violations.push(...(await subject.wrongAtRest(own)));
    }
    const { steps } = await stack.preview();
    if (steps.length > 0) violations.push(`the next preview is not clean: ${steps.join()}`);
  }
}

function heldBy(stack: StackRun): string[] {
  return stack.engine.state.filter(({ isGone }) => !isGone).map(({ id }) => id);
}

async function liveIn({ parties }: StackRun): Promise<readonly string[]> {
  const [party] = parties;
  return party ? party.subject.live() : [];
}
