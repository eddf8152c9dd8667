import type { Checkpoint, Stored } from "./checkpoint";
import { frontEndOf } from "./front-ends";
import { type Command, type Interruption, OTHER_DEPLOYS } from "./history";
import { BY_HAND, type Risk } from "./ledger";
import type { Part } from "./part";
import type { Result } from "./provider";
import type { Passing } from "./proxy";
import { isCreate } from "./requests";
import type { Stack } from "./stack";
import type { Scenario } from "./trial";

type Of = Pick<Stored, "urn">;

/** The most time between two creates that count as simultaneous, by a clock of whole seconds. */
const SIMULTANEOUS_MS = 1_000;

/** Checks what one command of a stack does to things of others, and what it leaves. */
export class Invariants {
  readonly #stack: Stack;
  readonly #scenario: Scenario;
  readonly #command: Command;
  /** The state, the time and the ledger's place before the command. */
  readonly #before: Checkpoint;
  readonly #startMs: number;
  readonly #place: number;
  /** Whether the response to a create was lost in it. */
  #hasLostPost = false;
  /** The paths of its requests. */
  readonly #paths: string[] = [];
  /** The ids of what it has created, and of those that are copies. */
  readonly #created: string[] = [];
  readonly #copies: string[] = [];
  /** The ids of what late requests of it have created, as a create that was refused since. */
  readonly #createdLate: string[] = [];
  /** Whether a process of it was killed. */
  #isKilled = false;

  constructor(stack: Stack, scenario: Scenario, command: Command) {
    this.#stack = stack;
    this.#scenario = scenario;
    this.#command = command;
    this.#before = stack.engine.checkpoint;
    this.#startMs = scenario.environment.now();
    this.#place = scenario.ledger.place;
  }

  onFault(passing: Passing): void {
    if (isCreate(passing)) this.#hasLostPost = true;
  }

  created(id: string, isCopy: boolean, isLate: boolean): void {
    (isLate ? this.#createdLate : this.#created).push(id);
    if (isCopy && !isLate) this.#copies.push(id);
  }

  /** Where the platform alone is killed, or a command is cancelled, its state is written as always. */
  interrupted(what: Interruption): void {
    if (what !== "kill platform" && what !== "Ctrl-C") this.#isKilled = true;
    const { asked } = this.#stack.engine;
    if (asked !== undefined) this.#stack.partOf(asked).isInterrupted = true;
  }

  /** A request of the command. */
  asks(path: string): void {
    this.#paths.push(path);
  }

  /** A request that writes to a thing. */
  async sends(method: string, id: string): Promise<void> {
    const { running, asked } = this.#stack.engine;
    const part = this.#stack.partOf(asked);
    // A DELETE is sent though a read has found nothing: that takes nothing from anybody.
    if (method === "DELETE" && !(await part.subject.live()).includes(id)) return;
    await this.#touches(part, id, `sends ${method} to`, running?.inputs);
    if (method !== "DELETE") return;
    this.#checkReplacement(part, id);
    if (running && this.#scenario.ledger.used.has(id))
      this.#violated(`a create of ${part.name} deletes ${id}, which people use`);
  }

  /** Only a change of what the service can't change deletes what the program declares, or the command that says so. */
  #checkReplacement(part: Part, id: string): void {
    const { run, replace = [] } = this.#command;
    if (run !== "up" || !part.isDeclared || this.#stack.numbered(replace).includes(part)) return;
    const { urn, inputs, aliases = [] } = part.declared();
    const { resources } = this.#before;
    const stored = resources.find((one) => one.id === id && !one.isGone && !one.isOld);
    const isThere = resources.some((one) => one.urn === urn);
    if (stored === undefined) return;
    // It adopts what it had before it was renamed.
    const isSame = frontEndOf(stored.urn) === frontEndOf(urn);
    const isNamed = inputs["name"] !== undefined && inputs["name"] === stored.outputs["name"];
    const adopts = part.kind === "deployment" && inputs["adoptExisting"] === true;
    const former = isSame && isNamed && adopts ? [stored.urn] : aliases;
    if (![urn, ...(isThere ? [] : former)].includes(stored.urn)) return;
    if (!part.subject.isReplacing(stored.outputs))
      this.#violated(`${part.name} deletes ${id} for a change in place`);
  }

  /**
   * The end of an `up`, with the number of revisions that others and late requests may have added, and of the writes of the
   * other stack's command that ran meanwhile: it may have written to what both have.
   */
  async up(
    { isGreen, errors, retries }: Result,
    {
      allowance,
      writesMeanwhile,
      isFaithful,
    }: Readonly<{ allowance: number; writesMeanwhile: number; isFaithful: boolean }>,
  ): Promise<void> {
    const stack = this.#stack;
    const { target, faults } = this.#command;
    const allowed = retries + allowance + (stack.isRestored ? 1 : 0);
    const isOvertaken = faults.some(({ what }) => what === OTHER_DEPLOYS);
    const targets = target ? stack.numbered(target) : stack.parts;
    if (isGreen && !target) stack.isRestored = false;
    for (const part of stack.parts) {
      const own = errors.filter(({ urn }) => stack.partOf(urn) === part);
      const isDone = isGreen && targets.includes(part) && part.isDeclared;
      // A command that ended early has not reached the others.
      if (isDone) part.isUnfinished = false;
      else if (own.length > 0) part.isUnfinished = true;
      const stored = stack.storedOf(part).find(({ isGone, isOld }) => !isGone && !isOld);
      if (isDone) this.#checkInterrupted(part, stored);
      const isOfBoth = this.#scenario.ledger.shared.has(stored?.id ?? "");
      const wrong = await part.subject.wrongAfterUp({
        error: own.map(({ message }) => message).join("\n"),
        allowance: allowed + (isOfBoth ? writesMeanwhile : 0),
        isRetried: retries > 0,
        isDone,
        isFaithful,
        isShared: isOvertaken || isOfBoth,
        former: stored && this.#before.resources.find(({ urn }) => urn === stored.urn),
        stored,
      });
      for (const what of wrong) this.#violated(`after an up of ${part.name}: ${what}`);
    }
  }

  /** A program that is back at what the state has asks for nothing: Pulumi warns of the killed update, and names the refresh. */
  #checkInterrupted(part: Part, stored: Stored | undefined): void {
    const isAsked = stored && this.#paths.some((path) => path.includes(stored.id));
    if (part.isInterrupted && !isAsked) this.#stack.needsRefresh = true;
    part.isInterrupted = false;
  }

  /** The end of a command. */
  async end(): Promise<void> {
    const { parts, engine } = this.#stack;
    for (const { name } of parts)
      for (const id of this.#scenario.ledger.leftBy(name, this.#place))
        this.#violated(`${name} leaves ${id}, which this very command has made`);
    await this.#checkCreated();
    await this.#checkForgotten();
    this.#recordWarnings();
    this.#recordHiddenAdoptions();
    for (const stored of engine.state.filter((one) => !one.isGone && !isPlaceholder(one))) {
      const { urn, id, inputs } = stored;
      await this.#touches(this.#stack.partOf(urn), id, "has in its state", inputs);
    }
  }

  /**
   * Pulumi itself warns of interrupted creates, or its error says that the provider process was lost. Where one was to
   * replace what the state still has, no provider is asked of what it has made.
   */
  #recordWarnings(): void {
    const { engine, parts } = this.#stack;
    const { ledger } = this.#scenario;
    const lost = this.#isKilled ? this.#created : [];
    // What a killed copy leaves has no mark: the documents say so.
    for (const id of this.#isKilled ? this.#copies : []) ledger.record(id, `a copy: ${id}`);
    for (const part of parts) {
      if (!this.#stack.storedOf(part).some(({ isGone }) => !isGone)) continue;
      const isRecorded = engine.checkpoint.creating.some(this.#isOf(part));
      for (const id of ledger.madeBy(part.name))
        if (!this.#stack.holds(id) && (isRecorded || lost.includes(id)))
          ledger.record(part.name, `interrupted while creating: ${part.name}, ${id}`);
    }
  }

  /** Without the state an adoption takes also what another resource of the stack has, and says so. */
  #recordHiddenAdoptions(): void {
    if (this.#command.hidesState !== true) return;
    const ids = this.#stack.engine.state.filter(({ isGone }) => !isGone).map(({ id }) => id);
    const isTwice = ids.some((id, at) => ids.indexOf(id) !== at);
    if (isTwice) this.#scenario.ledger.risks.add("adopted");
  }

  /** What leaves the state is gone from the service, or an option or a message says that it stays. */
  async #checkForgotten(): Promise<void> {
    const { ledger } = this.#scenario;
    const left = this.#before.resources.filter(
      ({ id, isGone }) => !isGone && !this.#stack.holds(id),
    );
    const forgotten = left.filter(({ id }) => !ledger.retained.has(id));
    // No provider is asked of a placeholder that is retained: what its create has made stays with it.
    for (const { urn } of left.filter((one) => !forgotten.includes(one) && isPlaceholder(one)))
      for (const id of ledger.madeBy(this.#stack.partOf(urn).name))
        if (!this.#stack.holds(id)) ledger.retained.add(id);
    // A killed replacement, or a late request, may have created one of the same id.
    const made = [...this.#created, ...this.#createdLate];
    for (const { urn, id } of forgotten.filter((one) => !made.includes(one.id))) {
      const part = this.#stack.partOf(urn);
      const isOwn = ledger.makerOf(id)?.by === part.name && !ledger.isKept(id);
      if (isOwn && (await part.subject.live()).includes(id))
        this.#violated(`${id} of ${part.name} has left the state, and is still there`);
    }
    // What a create without a response has made goes with its placeholder, or a warning names it.
    for (const { urn } of this.#isKilled ? [] : forgotten.filter(isPlaceholder)) {
      const part = this.#stack.partOf(urn);
      const live = await part.subject.live();
      for (const id of ledger.madeBy(part.name))
        if (live.includes(id) && !this.#stack.holds(id) && !ledger.hasNamed(id))
          this.#violated(`${part.name} has forgotten ${id}, which was never confirmed`);
    }
  }

  /** What the service has created stays in the state, under a placeholder id where no response says so. */
  async #checkCreated(): Promise<void> {
    if (this.#isKilled) return;
    const { parts, engine } = this.#stack;
    const open = engine.state.filter(isPlaceholder);
    for (const id of this.#created.filter((made) => !this.#stack.holds(made))) {
      // The real engine does not say which resource of a kind has made it.
      const { by } = this.#scenario.ledger.makerOf(id) ?? {};
      const makers: Part[] = [];
      for (const part of parts.filter(({ name }) => by === undefined || by === name))
        if ((await part.subject.live()).includes(id)) makers.push(part);
      if (makers[0] && !makers.some((part) => open.some(this.#isOf(part))))
        this.#violated(`${makers[0].name} has lost ${id}, which it has created`);
    }
  }

  /** Checks whether a resource may touch a thing: its own, and one that cannot be distinguished from its own. */
  async #touches(part: Part, id: string, how: string, inputs?: Stored["inputs"]): Promise<void> {
    const { ledger, note } = this.#scenario;
    const isNew = !this.#before.resources.some((stored) => stored.id === id && !stored.isGone);
    if (isNew && ledger.used.has(id) && how.startsWith("has"))
      this.#violated(`${part.name} adopts ${id}, which people use`);
    const maker = ledger.makerOf(id);
    if (maker === undefined || maker.by === part.name || ledger.isExcused(id, part.name)) return;
    if (maker.by === BY_HAND && part.subject.adopts()) return ledger.give(id, part.name);
    // Its own was deleted by hand, and another create has taken the id: a refresh will show it.
    if (how.startsWith("has") && !isNew && ledger.hasMade(id, part.name)) return;
    const risk = await this.#riskOf(part, id, inputs);
    if (risk !== undefined) {
      if (!ledger.risks.has(risk)) note(`known risk met: ${risk}`);
      ledger.excuse(id, part.name, risk);
    } else this.#violated(`${part.name} ${how} ${id}, which ${maker.by} has made`);
  }

  /** `inputs` are those of the create that runs, or has ended. */
  async #riskOf(part: Part, id: string, inputs?: Stored["inputs"]): Promise<Risk | undefined> {
    const { subject } = part;
    const { resources, creating } = this.#before;
    const { ledger } = this.#scenario;
    if (ledger.shared.has(id)) return "imported";
    if (subject.adopts()) return "adopted";
    const isLike = (declared: Stored["inputs"]) => subject.isLike(declared, id);
    for (const create of creating.filter(this.#isOf(part)))
      if (await isLike(create.inputs)) return "interrupted";
    for (const stored of resources.filter(isPlaceholder).filter(this.#isOf(part)))
      if (await isLike(stored.inputs)) return "unconfirmed";
    const { atMs = Number.NEGATIVE_INFINITY } = ledger.makerOf(id) ?? {};
    const isSimultaneous = this.#hasLostPost && atMs >= this.#startMs - SIMULTANEOUS_MS;
    return isSimultaneous && inputs && (await isLike(inputs)) ? "raced" : undefined;
  }

  #isOf(part: Part): (one: Of) => boolean {
    return ({ urn }) => this.#stack.partOf(urn) === part;
  }

  #violated(what: string): void {
    this.#scenario.ledger.violations.push(what);
  }
}

export function isPlaceholder({ id }: Pick<Stored, "id">): boolean {
  return id.startsWith("unconfirmed:");
}
