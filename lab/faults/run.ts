import { type History, isCommand, type Step } from "./history";
import { conditionFaults } from "./conditions";
import { Ledger, type Risk } from "./ledger";
import { KINDS, Part, replacementOrder } from "./part";
import { act, type Stage } from "./actors";
import { Random } from "./random";
import { isOver, repairAndDestroy } from "./repair";
import { Serving } from "./serving";
import { StackRun } from "./commands";
import type { Place, Scenario, Trial } from "./trial";
import { Replicas } from "./replicas";
import { makeWorkspace, type Environment } from "./environment";

/** The result of a history. */
export interface Report {
  /** Violations; none when everything holds. */
  readonly violations: readonly string[];
  /** The known risks that it met; what came after one of them is not checked. */
  readonly risks: readonly Risk[];
  /** A line for each thing that happened. */
  readonly lines: readonly string[];
}

/** What a person does takes time: a thing that is made again has a later time of its creation. */
const ACTOR_MS = 1_000;

let count = 0;

/**
 * Runs a history: commands that meet faults and kills, while programs, states and the service change between them. Then the
 * environment is repaired, every program is brought up, and everything is compared.
 */
export async function runHistory(environment: Environment, history: History): Promise<Report> {
  const lines: string[] = [];
  // A request that is sent again and again shows nothing new.
  const note = (line: string): void => void (line === lines.at(-1) || lines.push(line));
  const random = new Random(history.chance);
  const workspace = await makeWorkspace(environment, `history ${(count += 1)}`);
  const ledger = new Ledger();
  const serving = new Serving(workspace, (violation, revisionId) => {
    if (revisionId === undefined || !ledger.mayServe(revisionId)) ledger.violations.push(violation);
  });
  const replicas = new Replicas(environment.now);
  const scenario: Scenario = {
    environment,
    workspace,
    serving,
    random,
    note,
    ledger,
    replicas,
    conditions: history.conditions,
    conditionFault: conditionFaults(history.conditions, replicas, history.chance),
    skewMs: history.skewMinutes * 60_000,
    looksUp: history.looksUp,
    elsewhere: await makeWorkspace(environment, `another one of history ${count}`),
  };
  const stage = await setUp(history, scenario);
  try {
    for (const step of history.steps) {
      if (isOver(ledger)) break;
      if (!isCommand(step)) await environment.advance(ACTOR_MS);
      await take(stage, step);
      if (!isCommand(step)) await serving.look();
    }
    const choice = { refreshes: random.chance(0.5), backwards: random.chance(0.5) };
    if (!isOver(ledger)) await repairAndDestroy(stage, choice);
  } finally {
    await sweep(stage);
    for (const { engine } of stage.stacks) await engine.close();
  }
  return { violations: [...new Set(ledger.violations)], risks: [...ledger.risks], lines };
}

/** The first stack, with the program of the history. */
async function setUp({ things }: History, scenario: Scenario): Promise<Stage> {
  const stacks: StackRun[] = [];
  const newStack = (name: "A" | "B"): StackRun => {
    const stack = new StackRun(name, scenario);
    stacks.push(stack);
    return stack;
  };
  const trialOf = (name: string, place: Place): Trial => ({
    ...scenario,
    place,
    ownName: `of-${name.toLowerCase().replace(".", "-")}`,
    isOthers: (id) => isOthers(stacks, scenario.ledger, name, id),
  });
  const first = newStack("A");
  for (const [at, { kind, frontEnd, shape }] of things.entries()) {
    const name = `A.${at}`;
    const place = { stack: "test", frontEnd, logicalName: `${kind.toLowerCase()}${at}` };
    const random = new Random(shape);
    const order = replacementOrder({ kind, frontEnd }, random);
    const trial = trialOf(name, place);
    const args = await KINDS[kind].first(trial, random);
    const part = new Part(name, kind, place, KINDS[kind].subject(trial, args), order);
    first.parts.push(part);
    scenario.note(`${name} is a ${part.described()}`);
  }
  return { ...scenario, stacks, newStack, trialOf };
}

/** Things that another resource or another client has created, or has alone where two states have the same. */
function isOthers(stacks: readonly StackRun[], ledger: Ledger, name: string, id: string): boolean {
  if (ledger.retained.has(id)) return true;
  const own = stacks.find(({ parts }) => parts.some((part) => part.name === name));
  const holder = own?.holderOf(id);
  if (!ledger.shared.has(id)) {
    // The real engine does not say who has created it.
    const maker = ledger.makerOf(id)?.by ?? holder?.name;
    return maker !== undefined && maker !== name;
  }
  return holder ? holder.name !== name : stacks.some((stack) => stack.holds(id));
}

async function take(stage: Stage, step: Step): Promise<void> {
  if (!isCommand(step)) return act(stage, step);
  const { meanwhile, ...command } = step;
  const find = (name: string) => stage.stacks.find((stack) => stack.name === name);
  const stack = find(command.of) ?? find("A");
  const other = meanwhile && find(meanwhile.of);
  if (stack === undefined) return;
  // A stack is locked while a command runs on it.
  const isFree = meanwhile && other && other !== stack;
  const writes = isFree && (() => other.run(meanwhile).then(() => other.writes));
  await stack.run(command, writes ? { at: meanwhile.at, run: writes } : undefined);
}

/** Deletes by hand what is left: the agent server serves other histories too. */
async function sweep({ stacks }: Stage): Promise<void> {
  for (const { subject } of stacks.flatMap(({ parts }) => parts))
    for (const id of await subject.live()) await subject.remove(id).catch(() => undefined);
}
