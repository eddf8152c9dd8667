import { type Running, until } from "../../../scripts/processes";
import { messageOf } from "../../../shared/errors";
import { makeWorkspace, type Workspace } from "../environment";
import { RESOURCE_TYPE_NAMES } from "../history";
import { KINDS, orderOfClass, Part } from "../part";
import { Random } from "../random";
import { Serving } from "../serving";
import type { FrontEndName, Place } from "../trial";
import { anInterruption, type Interruption, Interrupter } from "./interruption";
import type { RealPlatform } from "./platform";
import { diagnosticsOf, errorsIn, RealStack } from "./stack";

const COMMANDS = ["create", "update", "delete"] as const;
const MOST_RESOURCES = 8;
const MOST_REPAIRS = 3;
const UP = ["up", "--yes", "--skip-preview"];
const DESTROY = ["destroy", "--yes", "--skip-preview"];
const REFRESH = ["refresh", "--yes", "--skip-preview"];

/** The result of one run. */
export interface RealReport {
  readonly seed: number;
  readonly frontEnd: FrontEndName;
  readonly resources: number;
  readonly command: (typeof COMMANDS)[number];
  /** Undefined where the run ended before it. */
  readonly interruption: Interruption | undefined;
  /** The request at which the command was interrupted; undefined where it ended before. */
  readonly at: string | undefined;
  /** The number of `up` or `destroy` until everything was at rest. */
  readonly repairs: number;
  readonly seconds: number;
  readonly violations: readonly string[];
  readonly history: readonly string[];
}

/** Interrupts one command of a stack, repairs what it left, and compares state and service. */
export async function runReal(
  platform: RealPlatform,
  seed: number,
  givenFrontEnd?: FrontEndName,
): Promise<RealReport> {
  const random = new Random(seed);
  const drawn = random.pick(["dynamic", "native"]);
  const frontEnd = givenFrontEnd ?? drawn;
  const resources = 1 + random.below(MOST_RESOURCES);
  const command = random.pick(COMMANDS);
  const startMs = performance.now();
  const run = await RealRun.start(platform, { seed, random, frontEnd, resources });
  try {
    await run.run(command);
  } catch (error) {
    run.violations.push(`the run itself fails: ${messageOf(error)}`);
  } finally {
    await run.close();
  }
  const seconds = (performance.now() - startMs) / 1000;
  const { interruption, at, repairs, violations, history } = run;
  const choice = { seed, frontEnd, resources, command, interruption };
  return { ...choice, at, repairs, seconds, violations, history };
}

/** One stack, whose command is interrupted once. */
class RealRun {
  readonly history: string[] = [];
  readonly violations: string[] = [];
  readonly #platform: RealPlatform;
  readonly #random: Random;
  readonly #stack: RealStack;
  readonly #interrupter: Interrupter;
  readonly #parts: Part[] = [];
  /** The output of all commands. */
  #said = "";
  interruption: Interruption | undefined;
  at: string | undefined;
  repairs = 0;

  private constructor(platform: RealPlatform, random: Random, stack: RealStack) {
    [this.#platform, this.#random, this.#stack] = [platform, random, stack];
    const note = this.#note.bind(this);
    this.#interrupter = new Interrupter({ platform, commands: stack, note });
    platform.controlPlane.injector = platform.agentServer.injector = this.#interrupter;
  }

  static async start(
    platform: RealPlatform,
    {
      seed,
      random,
      frontEnd,
      resources,
    }: { seed: number; random: Random; frontEnd: FrontEndName; resources: number },
  ): Promise<RealRun> {
    const workspace = await makeWorkspace(platform, `seed ${seed}`);
    const { baseUrl: url, ...access } = workspace.settings;
    const stack = await RealStack.create(frontEnd, { url, ...access });
    const run = new RealRun(platform, random, stack);
    for (let at = 0; at < resources; at += 1) await run.#add(workspace, frontEnd, at);
    return run;
  }

  async #add(workspace: Workspace, frontEnd: FrontEndName, at: number): Promise<void> {
    const random = this.#random;
    // Deployments have most of the rules.
    const kind = random.chance(0.3) ? "deployment" : random.pick(RESOURCE_TYPE_NAMES);
    const logicalName = `${kind.toLowerCase()}${at}`;
    const place: Place = { stack: "test", frontEnd, logicalName };
    const trial = {
      environment: this.#platform,
      workspace,
      random,
      place,
      conditions: {},
      serving: new Serving(workspace, (violation) => void this.violations.push(violation)),
      ownName: `of-${logicalName}`,
      isOthers: () => false,
      note: this.#note.bind(this),
    };
    const subject = KINDS[kind].subject(trial, await KINDS[kind].first(trial, random));
    const part = new Part(logicalName, kind, place, subject);
    part.deleteBeforeReplace = orderOfClass(kind) ?? (random.chance(0.5) || undefined);
    this.#parts.push(part);
  }

  async close(): Promise<void> {
    const { controlPlane, agentServer } = this.#platform;
    await this.#stack.remove();
    controlPlane.injector = agentServer.injector = undefined;
  }

  async run(command: RealReport["command"]): Promise<void> {
    const random = this.#random;
    this.#note(`program: ${this.#parts.map((part) => part.described()).join("; ")}`);
    await this.#declare();
    if (command !== "create") await this.#expectSuccess(UP);
    let affected = this.#parts.length;
    if (command === "update") {
      const first = random.below(this.#parts.length);
      const changed = this.#parts.filter((_, at) => at === first || random.chance(0.5));
      affected = changed.length;
      for (const { name, subject } of changed)
        this.#note(`program: ${name}: ${subject.change(random, false)}`);
      await this.#declare();
    }
    this.interruption = anInterruption(random, affected);
    await this.#interrupted(command === "delete" ? DESTROY : UP, this.interruption);
    if (command === "delete" && random.chance(0.5)) {
      await this.#repair(DESTROY);
    } else {
      // A deletion that was interrupted is seen by a refresh alone.
      if (command === "delete") await this.#expectSuccess(REFRESH);
      await this.#repair(UP);
      if (this.violations.length === 0) await this.#compare();
      if (this.violations.length === 0) await this.#checkRest();
      await this.#expectSuccess(DESTROY);
    }
    for (const id of await this.#live()) this.violations.push(`left after the destroy: ${id}`);
    for (const { urn } of await this.#stack.held())
      this.violations.push(`in the state after the destroy: ${urn}`);
    await this.#stack.searchFiles();
    this.#stack.search("the output of the platform", this.#platform.text());
    this.violations.push(...this.#stack.leaks);
  }

  async #interrupted(words: string[], interruption: Interruption): Promise<void> {
    const running = this.#start(words);
    this.#interrupter.arm(interruption, running);
    await this.#finish(running);
    this.at = await this.#interrupter.end();
    if (this.at === undefined) this.#note("  ended before it was to be interrupted");
  }

  /** Runs a command until it succeeds, and does what its errors say. */
  async #repair(words: string[]): Promise<void> {
    for (;;) {
      const { code, text } = await this.#command(words);
      this.repairs += 1;
      if (code === 0) return;
      if (this.repairs === MOST_REPAIRS) {
        const errors = errorsIn(text).join("; ");
        this.violations.push(`${words[0]} fails after ${MOST_REPAIRS} tries: ${errors}`);
        return;
      }
      await this.#followAdvice(text);
    }
  }

  async #followAdvice(text: string): Promise<void> {
    const held = await this.#stack.held();
    for (const part of this.#parts) {
      // The other way out is an import, which knows nothing of secrets.
      const error = diagnosticsOf(text, part.name).replaceAll("run `pulumi import", "");
      const stored = held.filter(({ urn }) => urn === part.declared().urn);
      const followed = await part.subject.followAdvice(error, stored);
      if (followed === undefined) continue;
      this.#note(`as the error says: ${part.name}: ${followed}`);
      if (followed === "deleteBeforeReplace: true") part.deleteBeforeReplace = true;
    }
    await this.#declare();
    if (text.includes("run `pulumi refresh`")) await this.#expectSuccess(REFRESH);
  }

  /** At rest each thing belongs to one resource of the state, and has what is declared. */
  async #compare(): Promise<void> {
    const held = await this.#stack.held();
    for (const id of await this.#live())
      if (!held.some((stored) => stored.id === id)) await this.#removeStray(id);
    const live = await this.#live();
    for (const [at, { urn, id, isOld, initErrors }] of held.entries()) {
      const wrong = [
        ...(live.includes(id) ? [] : ["is not there"]),
        ...(held.findIndex((other) => other.id === id) === at ? [] : ["belongs to another one"]),
        ...(isOld ? ["waits for its deletion"] : initErrors),
      ];
      this.violations.push(...wrong.map((what) => `${urn}: ${id} ${what}`));
    }
    for (const part of this.#parts) {
      const [stored] = held.filter(({ urn }) => urn === part.declared().urn);
      const wrong = stored ? await part.subject.wrongAtRest(stored) : ["is not in the state"];
      this.violations.push(...wrong.map((what) => `${part.name}: ${what}`));
    }
    if (held.length > this.#parts.length)
      this.violations.push("the state has undeclared resources");
  }

  /** Deletes by hand what is in no state, where a message has named it. */
  async #removeStray(id: string): Promise<void> {
    if (!this.#said.includes(id)) {
      this.violations.push(`in no state, and no message has named it: ${id}`);
      return;
    }
    this.#note(`by hand, as a message says: deletes ${id}`);
    for (const { subject } of this.#parts)
      if ((await subject.live()).includes(id)) await subject.remove(id);
    const isGone = async () => !(await this.#live()).includes(id);
    await until("the end of what was deleted by hand", isGone);
  }

  /** The ids of all things of the workspace. */
  async #live(): Promise<string[]> {
    const all = await Promise.all(this.#parts.map(({ subject }) => subject.live()));
    return [...new Set(all.flat())];
  }

  async #checkRest(): Promise<void> {
    await this.#expectSuccess(["preview", "--expect-no-changes"]);
    this.#interrupter.writes = [];
    await this.#expectSuccess([...UP, "--expect-no-changes"]);
    const { writes } = this.#interrupter;
    if (writes.length > 0)
      this.violations.push(`an up without a change writes: ${writes.join(", ")}`);
  }

  /** Unlocks the stack where a killed command has left it locked. */
  async #command(words: string[]) {
    const first = await this.#finish(this.#start(words));
    if (!first.text.includes("the stack is currently locked")) return first;
    await this.#expectSuccess(["cancel", "--yes"]);
    return this.#finish(this.#start(words));
  }

  async #expectSuccess(words: string[]): Promise<void> {
    const { code, text } = await this.#command(words);
    if (code === 0) return;
    const errors = errorsIn(text).join("; ");
    this.violations.push(`pulumi ${words.join(" ")} ends with ${code}: ${errors}`);
  }

  #start(words: string[]): Running {
    this.#note(`pulumi ${words.join(" ")}`);
    return this.#stack.start(...words);
  }

  async #finish(running: Running) {
    const finished = await this.#stack.watch(running);
    this.#said += finished.text;
    for (const line of errorsIn(finished.text)) this.#note(`  | ${line}`);
    this.#note(`  exit code ${finished.code}`);
    return finished;
  }

  async #declare(): Promise<void> {
    // No roll-out may time out while the platform is away.
    for (const { subject } of this.#parts) subject.repair();
    await this.#stack.declare(this.#parts);
  }

  #note(line: string): void {
    // A poll that repeats shows nothing new.
    if (this.history.at(-1) !== line) this.history.push(line);
  }
}
