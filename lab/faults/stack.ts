import { messageOf } from "../../shared/errors";
import { leaksIn, leaksOf, showsSecret } from "./leaks";
import { type Checkpoint, inStack, renamed, type Stored } from "./checkpoint";
import { isCopy, type ConditionFault } from "./conditions";
import { frontEndOf, startProcesses } from "./front-ends";
import { Engine } from "./engine";
import type { Result, StepError } from "./provider";
import { type Command, described, type Interruption, type StackName } from "./history";
import { Invariants } from "./invariants";
import type { Ledger } from "./ledger";
import type { Part } from "./part";
import type { Passing } from "./proxy";
import { madeBy, writtenBy } from "./requests";
import { lookUp } from "./lookups";
import type { Asking, Serving } from "./serving";
import type { Trial } from "./trial";
import type { Replicas } from "./replicas";
import { PlannedFaults } from "./fault-injector";
import { RealEngine } from "./real/engine";
import type { Workspace } from "./environment";

const PAUSE_MS = 30_000;

/** A command of another stack that runs when this one's request of a number comes. */
interface Meanwhile {
  readonly at: number;
  readonly run: () => Promise<unknown>;
}

/** The parts that all stacks of a history share. */
export interface Common extends Pick<
  Trial,
  "environment" | "workspace" | "random" | "note" | "conditions"
> {
  readonly serving: Serving;
  readonly ledger: Ledger;
  readonly replicas: Replicas;
  readonly conditionFault: ConditionFault;
  readonly skewMs: number;
  /** Whether the programs call functions. */
  readonly looksUp: boolean;
  /** Another workspace of the organization, in which the programs look things up too. */
  readonly elsewhere: Workspace;
}

/** One state, with the commands that people run on it, and what these do to things of others. */
export class StackRun {
  readonly name: StackName;
  readonly parts: Part[] = [];
  readonly engine: Engine;
  /** Former states, the oldest first. */
  readonly exports: Checkpoint[] = [];
  /** The errors of the last command. */
  lastErrors: Result["errors"] = [];
  /** Whether an older state, or another one, has taken the place of its own: changes may be sent once more. */
  isRestored = false;
  /** Only a refresh shows changes by other clients, by a late request, or by a deletion that was lost. */
  needsRefresh = false;
  readonly #common: Common;
  readonly #injector: PlannedFaults;
  readonly #invariants: Invariants;
  readonly #partOfUrn = new Map<string, Part>();
  /** The revisions that another client has created while this command waits. */
  #news: readonly string[] = [];
  #retries = 0;
  #onInterruption: (what: Interruption) => void | Promise<void> = () => undefined;
  #requests = 0;
  #meanwhile: { countdown: number; readonly run: Meanwhile["run"] } | undefined;

  constructor(name: StackName, common: Common) {
    this.name = name;
    this.#common = common;
    this.#injector = new PlannedFaults({
      ...common,
      onInterruption: async (what) => {
        this.#invariants.killed();
        common.serving.cutShort(this.#asking(this.engine.asked).call);
        await this.#onInterruption(what);
      },
      deploy: () => this.#beOvertaken(),
      meet: (passing) => this.#meet(passing),
      onFault: ({ method, path }) => this.#invariants.onFault(method, path),
      asked: () => this.engine.asked,
      shown: (passing, answer) => common.serving.shown(passing, answer),
      learn: (passing, answer, { asked, isLate }) => {
        common.serving.learn(passing, answer, () =>
          isLate || asked === undefined ? undefined : this.#asking(asked),
        );
        const id = madeBy(passing, answer);
        // The real engine does not say whose request it is.
        if (id === undefined || asked === undefined) return;
        common.replicas.created(id);
        common.ledger.made(id, this.partOf(asked).name, common.environment.now(), isLate);
        if (!isLate) this.#invariants.created(id, isCopy(passing));
      },
    });
    this.engine = this.#newEngine();
    this.#invariants = new Invariants(this, common);
  }

  #newEngine(): Engine {
    const { workspace, note, ledger, environment } = this.#common;
    if (!environment.process)
      return new Engine(() => this.#start(), {
        retries: () => (this.#retries -= 1) >= 0,
        onError: (error) => void ledger.violations.push(...leaksOf(error)),
      });
    const engine = new RealEngine({
      workspace,
      platform: environment.process,
      note,
      say: (text) => ledger.record("", text),
      onLeak: (what) => void ledger.violations.push(what),
      requests: () => this.#requests,
    });
    this.#onInterruption = (what) => engine.interrupt(what);
    return engine;
  }

  /** Whether the state has it. */
  holds(id: string): boolean {
    return this.holderOf(id) !== undefined;
  }

  /** The resource that has it in the state. */
  holderOf(id: string): Part | undefined {
    const found = this.engine.state.find((stored) => stored.id === id && !stored.isGone);
    return found && this.partOf(found.urn);
  }

  /** The resource that has, or had, this URN. */
  partOf(urn = ""): Part {
    const [first] = this.parts;
    const found = this.#partOfUrn.get(urn) ?? first;
    if (found === undefined) throw new Error("a stack has a program");
    return found;
  }

  /** The entries of a resource in the state. */
  storedOf(part: Part): Stored[] {
    return this.engine.state.filter(({ urn }) => this.partOf(urn) === part);
  }

  /** As `pulumi stack rename`. */
  rename(stack: string): void {
    for (const { place } of this.parts) place.stack = stack;
    this.load(this.engine.checkpoint);
  }

  /** As `pulumi stack import`, of a state of this stack or another. */
  load(checkpoint: Checkpoint): void {
    const [first] = this.parts;
    this.#program();
    const stack = first?.place.stack ?? "test";
    for (const { urn } of [...checkpoint.resources, ...checkpoint.creating])
      this.#partOfUrn.set(inStack(urn, stack), this.partOf(urn));
    this.engine.load(renamed(checkpoint, (urn) => inStack(urn, stack)));
  }

  /** Says which resource a URN of another stack's state belongs to here. */
  know(urn: string, part: Part): void {
    this.#partOfUrn.set(urn, part);
  }

  /** Runs a command, and something else when its request of a number comes. */
  async run(command: Command, meanwhile?: Meanwhile): Promise<Result> {
    const { environment, note, ledger } = this.#common;
    await environment.advance(command.pauseMs ?? PAUSE_MS);
    note(`${this.name}: ${described(command)}`);
    this.#retries = command.retries ?? 0;
    this.#meanwhile = meanwhile && { countdown: meanwhile.at, run: meanwhile.run };
    const { controlPlane, agentServer } = environment;
    const others = [controlPlane.injector, agentServer.injector] as const;
    controlPlane.injector = agentServer.injector = this.#injector;
    this.#injector.begin(command);
    this.#invariants.begin(command);
    const result = await this.#perform(command).finally(() => {
      [controlPlane.injector, agentServer.injector] = others;
      this.#meanwhile = undefined;
    });
    await this.#injector.end();
    await this.#conclude(command, result);
    await this.#invariants.end();
    await this.#common.serving.look();
    for (const leak of leaksIn(this.engine.state))
      ledger.violations.push(`the state has a secret in clear: ${leak}`);
    this.exports.push(this.engine.checkpoint);
    return result;
  }

  async #perform(command: Command): Promise<Result> {
    const { run, continueOnError = false } = command;
    if (run === "destroy") return this.engine.destroy();
    if (run === "refresh") return this.engine.refresh(command.clearPendingCreates);
    if (run === "up") for (const { subject } of this.parts) await subject.before();
    const lookedUp = this.#common.looksUp ? await this.#lookUp() : undefined;
    if (lookedUp?.isGreen === false) return lookedUp;
    if (run === "preview") return this.engine.preview(this.#program());
    const urns = (numbers: readonly number[]) =>
      this.numbered(numbers).map((part) => part.declared().urn);
    const target = command.target && urns(command.target);
    const options = { replace: urns(command.replace ?? []), target, continueOnError };
    return this.engine.up(this.#program(), options);
  }

  /** The end of a program that looks something up before it declares its resources. */
  async #lookUp(): Promise<Result> {
    const { ledger, workspace, elsewhere } = this.#common;
    const errors: StepError[] = [];
    try {
      ledger.violations.push(...(await lookUp(this.#common, [workspace, elsewhere])));
    } catch (error) {
      ledger.violations.push(...leaksOf(error));
      errors.push({ urn: "", message: messageOf(error) });
    }
    return { isGreen: errors.length === 0, errors, steps: [], retained: [], retries: 0 };
  }

  async #conclude(command: Command, result: Result): Promise<void> {
    const { note, ledger } = this.#common;
    const { isGreen, errors, steps, retained } = result;
    for (const { urn, message } of errors) {
      note(`  error: ${message}`);
      ledger.record(this.partOf(urn).name, message);
    }
    const end = isGreen ? "green" : "failed";
    note(`  ${end} in ${this.name}: ${steps.join(", ") || "nothing"}`);
    this.lastErrors = errors;
    for (const id of retained) ledger.retained.add(id);
    const { writes, lateWrites } = this.#injector;
    const isDeleting = steps.some((step) => step.startsWith("delete"));
    if ((!isGreen && isDeleting) || lateWrites > 0) this.needsRefresh = true;
    if (command.run === "preview" && writes > 0)
      ledger.violations.push(`a preview sent ${writes} writes`);
    if (command.run === "up")
      await this.#invariants.up(command, result, lateWrites + this.#news.length);
    this.#checkOthersNamed();
  }

  /** Another client creates a revision of the deployment that the engine asks about. */
  async #beOvertaken(): Promise<void> {
    const { serving, note, random } = this.#common;
    const part = this.partOf(this.engine.asked);
    if (part.kind !== "deployment") return;
    const done = await part.subject.drift(random);
    note(`    another client ${done ?? "finds nothing"}`);
    this.needsRefresh = true;
    this.#news = await serving.look();
  }

  /** A message names what another client has created, where the state takes it for known. */
  #checkOthersNamed(): void {
    const { ledger } = this.#common;
    for (const id of this.#news)
      if (this.engine.state.some(({ outputs }) => outputs["latestRevisionId"] === id))
        if (this.#injector.isCalm && !ledger.hasNamed(id) && !this.#followsPushes())
          ledger.violations.push(`no message names ${id}, which another client has created`);
    this.#news = [];
  }

  /** A push explains a revision of another client too. */
  #followsPushes(): boolean {
    const texts = [this.#program(), this.engine.state].map((all) => JSON.stringify(all));
    return texts.some((text) => text.includes('"buildOnPush":true'));
  }

  /** Whether a response of the command may not be that of the service as it is. */
  get isMisled(): boolean {
    return this.#common.conditions.isLate === true || this.#injector.isMisled;
  }

  /** The number of writes of the last command. */
  get writes(): number {
    return this.#injector.writes;
  }

  /** Takes what has this id into the state, as `pulumi import` does. */
  async import(part: Part, id: string): Promise<Result> {
    this.#common.note(`${this.name}: pulumi import ${id} as ${part.name}`);
    this.#injector.begin({ faults: [] });
    return this.engine.import(part.declared(), id);
  }

  /** The resources of these numbers, which may exceed the number of resources. */
  numbered(numbers: readonly number[]): Part[] {
    return this.parts.filter((_, at) => numbers.some((one) => one % this.parts.length === at));
  }

  /** A create ignores nothing, nor is what is ignored known where a response was another one. */
  #asking(urn?: string): Asking {
    const part = this.partOf(urn);
    const isFaithful = !this.isMisled && this.engine.running === undefined;
    return {
      call: `${this.name}.${this.engine.calls}`,
      inputs: part.subject.declared().inputs,
      ignored: isFaithful ? part.ignored : [],
    };
  }

  #program() {
    const program = this.parts.map((part) => [part, part.declared()] as const);
    for (const [part, { urn }] of program) this.#partOfUrn.set(urn, part);
    return program.filter(([{ isDeclared }]) => isDeclared).map(([, declared]) => declared);
  }

  async #start() {
    const { random, environment, workspace, note, ledger, skewMs } = this.#common;
    const urns = [...this.#program(), ...this.engine.state].map(({ urn }) => urn);
    const processes = await startProcesses([...new Set(urns.map(frontEndOf))], {
      random,
      environment,
      workspace,
      skewMs,
      say: (text) => {
        note(`    | ${text}`);
        ledger.record(this.partOf(this.engine.asked).name, text);
      },
      show: (text) => {
        if (showsSecret(text)) ledger.violations.push(`the progress shows a secret: ${text}`);
      },
      onLeak: (what) => void ledger.violations.push(what),
      exportState: () => (this.#injector.hidesState ? undefined : this.engine.exported()),
    });
    this.#onInterruption = processes.lose;
    return processes;
  }

  async #meet({ method, path }: Passing): Promise<void> {
    this.#requests += 1;
    const waiting = this.#meanwhile;
    if (waiting && (waiting.countdown -= 1) < 0) {
      this.#meanwhile = undefined;
      await waiting.run();
    }
    this.#invariants.asks(path);
    const id = writtenBy(method, path);
    if (id === undefined) return;
    if (method === "DELETE" && path.startsWith("/v2/deployments/"))
      await this.#common.serving.check(id);
    await this.#invariants.sends(method, id);
  }
}
