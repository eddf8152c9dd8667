import { withoutSecretForm } from "../../provider/arguments/secrets";
import { recordOf } from "../../shared/records";
import type { Checkpoint, Stored } from "./checkpoint";
import type { Engine } from "./engine";
import { BY_HAND, type Ledger, type Risk } from "./ledger";
import { type Command, OTHER_DEPLOYS } from "./history";
import type { Part } from "./part";
import type { Result } from "./provider";
import { isCreate } from "./requests";
import type { Trial } from "./trial";

/** A thing, and the inputs of the create that runs or has ended. */
interface Touched {
  readonly id: string;
  readonly inputs?: Stored["inputs"] | undefined;
}

/** A stack as the invariants see it. */
interface CheckedStack {
  readonly engine: Engine;
  readonly parts: readonly Part[];
  readonly partOf: (urn?: string) => Part;
  readonly holds: (id: string) => boolean;
  readonly storedOf: (part: Part) => Stored[];
  /** The resources of these numbers. */
  readonly numbered: (numbers: readonly number[]) => Part[];
  /** Whether a response of the command may not be that of the service as it is. */
  readonly isMisled: boolean;
  /** Whether another state has taken the place of its own: changes may be sent once more. */
  isRestored: boolean;
  /** Only a refresh shows what has changed. */
  needsRefresh: boolean;
}

interface Common extends Pick<Trial, "note" | "environment"> {
  readonly ledger: Ledger;
}

/** The most time between two creates that count as simultaneous, by a clock of whole seconds. */
const SIMULTANEOUS_MS = 1_000;

/** Checks what the commands of a stack do to things of others, and what they leave. */
export class Invariants {
  readonly #stack: CheckedStack;
  readonly #common: Common;
  /** The command that runs. */
  #command: Command | undefined;
  /** The state and the time before the command that runs. */
  #before: Checkpoint = { resources: [], creating: [] };
  #startMs = 0;
  /** Whether the response to a create was lost in it. */
  #hasLostPost = false;
  /** Those of them that are copies. */
  #copies: string[] = [];
  /** The paths of its requests. */
  #paths: string[] = [];
  /** The ids of what it has created. */
  #created: string[] = [];
  /** Whether a process of it was killed. */
  #isKilled = false;
  /** The ledger's place before the command. */
  #place = 0;

  constructor(stack: CheckedStack, common: Common) {
    this.#stack = stack;
    this.#common = common;
  }

  begin(command: Command): void {
    this.#command = command;
    const { environment, ledger } = this.#common;
    this.#before = this.#stack.engine.checkpoint;
    this.#startMs = environment.now();
    this.#hasLostPost = this.#isKilled = false;
    this.#created = [];
    this.#copies = [];
    this.#paths = [];
    this.#place = ledger.place;
  }

  onFault(method: string, path: string): void {
    if (isCreate(method, path)) this.#hasLostPost = true;
  }

  created(id: string, isCopy: boolean): void {
    this.#created.push(id);
    if (isCopy) this.#copies.push(id);
  }

  killed(): void {
    this.#isKilled = true;
    const { asked } = this.#stack.engine;
    if (asked !== undefined) this.#stack.partOf(asked).isInterrupted = true;
  }

  /** A request of the command. */
  asks(path: string): void {
    this.#paths.push(path);
  }

  /** A request that writes to a thing. */
  async sends(method: string, id: string): Promise<void> {
    const { engine } = this.#stack;
    const { ledger } = this.#common;
    const part = this.#stack.partOf(engine.asked);
    // A DELETE is sent though a read has found nothing: that takes nothing from anybody.
    if (method === "DELETE" && !(await part.subject.live()).includes(id)) return;
    await this.#touches(part, { id, inputs: engine.running?.inputs }, `sends ${method} to`);
    if (method === "DELETE") this.#checkReplacement(part, id);
    if (method === "DELETE" && engine.running && ledger.used.has(id))
      ledger.violations.push(`a create of ${part.name} deletes ${id}, which people use`);
  }

  /** Only a change of what the service can't change deletes what the program declares, or the command that says so. */
  #checkReplacement(part: Part, id: string): void {
    const { run, replace = [] } = this.#command ?? {};
    if (run !== "up" || !part.isDeclared || this.#stack.numbered(replace).includes(part)) return;
    const { urn, aliases = [] } = part.declared();
    const stored = this.#before.resources.find((one) => one.id === id && !one.isGone && !one.isOld);
    const isThere = this.#before.resources.some((one) => one.urn === urn);
    if (stored === undefined || ![urn, ...(isThere ? [] : aliases)].includes(stored.urn)) return;
    if (!part.subject.isReplacing(stored.outputs))
      this.#common.ledger.violations.push(`${part.name} deletes ${id} for a change in place`);
  }

  /** The end of an `up`, with the number of writes that came late. */
  async up(
    { target, faults }: Command,
    { isGreen, errors, retries }: Result,
    lateWrites: number,
  ): Promise<void> {
    const stack = this.#stack;
    const allowance = retries + lateWrites + (stack.isRestored ? 1 : 0);
    const isFaithful = !stack.isMisled;
    const targets = target ? stack.numbered(target) : stack.parts;
    if (isGreen && !target) stack.isRestored = false;
    for (const part of stack.parts) {
      const own = errors.filter(({ urn }) => stack.partOf(urn) === part);
      const isTarget = targets.includes(part) && part.isDeclared;
      // A command that ended early has not reached the others.
      if (isGreen && isTarget) part.isUnfinished = false;
      else if (own.length > 0) part.isUnfinished = true;
      const error = own.map(({ message }) => message).join("\n");
      const stored = stack.storedOf(part).find(({ isGone, isOld }) => !isGone && !isOld);
      const former = stored && this.#before.resources.find(({ urn }) => urn === stored.urn);
      const isDone = isGreen && isTarget;
      if (isDone) this.#checkInterrupted(part, stored);
      const isOvertaken = faults.some(({ what }) => what === OTHER_DEPLOYS);
      const isShared = isOvertaken || this.#common.ledger.shared.has(stored?.id ?? "");
      const up = {
        error,
        allowance,
        isDone,
        isFaithful,
        isShared,
        former,
        stored,
      };
      for (const wrong of await part.subject.wrongAfterUp(up))
        this.#common.ledger.violations.push(`after an up of ${part.name}: ${wrong}`);
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
    const { ledger } = this.#common;
    for (const { name } of this.#stack.parts)
      for (const id of ledger.leftBy(name, this.#place))
        ledger.violations.push(`${name} leaves ${id}, which this very command has made`);
    await this.#checkCreated();
    await this.#checkForgotten();
    this.#recordWarnings();
    for (const stored of this.#stack.engine.state)
      if (!stored.isGone && !isPlaceholder(stored))
        await this.#touches(this.#stack.partOf(stored.urn), stored, "has in its state");
  }

  /**
   * Pulumi itself warns of interrupted creates, or its error says that the provider process was lost. Where one was to
   * replace what the state still has, no provider is asked of what it has made.
   */
  #recordWarnings(): void {
    const stack = this.#stack;
    const { engine, parts } = stack;
    const { ledger } = this.#common;
    const lost = this.#isKilled ? this.#created : [];
    // What a killed copy leaves has no mark: the documents say so.
    for (const id of this.#isKilled ? this.#copies : []) ledger.record(id, `a copy: ${id}`);
    const isOf = (part: Part) => (one: Pick<Stored, "urn">) => stack.partOf(one.urn) === part;
    for (const part of parts) {
      if (!engine.state.some((stored) => isOf(part)(stored) && !stored.isGone)) continue;
      const isRecorded = engine.checkpoint.creating.some(isOf(part));
      for (const id of ledger.madeBy(part.name))
        if (!stack.holds(id) && (isRecorded || lost.includes(id)))
          ledger.record(part.name, `interrupted while creating: ${part.name}, ${id}`);
    }
  }

  /** What leaves the state is gone from the service, or an option or a message says that it stays. */
  async #checkForgotten(): Promise<void> {
    const { ledger } = this.#common;
    const forgotten = this.#before.resources.filter(
      ({ id, isGone }) => !isGone && !this.#stack.holds(id) && !ledger.retained.has(id),
    );
    // A killed replacement may have created one of the same id.
    const left = forgotten.filter(({ id }) => !this.#created.includes(id));
    for (const { urn, id } of left) {
      const part = this.#stack.partOf(urn);
      const isOwn = ledger.makerOf(id)?.by === part.name && !ledger.isKept(id);
      if (isOwn && (await part.subject.live()).includes(id))
        ledger.violations.push(`${id} of ${part.name} has left the state, and is still there`);
    }
  }

  /** What the service has created stays in the state, under a placeholder id where no response says so. */
  async #checkCreated(): Promise<void> {
    if (this.#isKilled) return;
    const { ledger } = this.#common;
    const open = this.#stack.engine.state.filter(isPlaceholder);
    const isOpen = (part: Part) => open.some(({ urn }) => this.#stack.partOf(urn) === part);
    for (const id of this.#created.filter((made) => !this.#stack.holds(made)))
      for (const part of this.#stack.parts.filter((one) => !isOpen(one)))
        if (ledger.makerOf(id)?.by === part.name && (await part.subject.live()).includes(id))
          ledger.violations.push(`${part.name} has lost ${id}, which it has created`);
  }

  /** Checks whether a resource may touch a thing: its own, and one that cannot be distinguished from its own. */
  async #touches(part: Part, touched: Touched, how: string): Promise<void> {
    const { id } = touched;
    const { ledger, note } = this.#common;
    const isNew = !this.#before.resources.some((stored) => stored.id === id && !stored.isGone);
    if (isNew && ledger.used.has(id) && how.startsWith("has"))
      ledger.violations.push(`${part.name} adopts ${id}, which people use`);
    const maker = ledger.makerOf(id);
    if (maker === undefined || maker.by === part.name || ledger.isExcused(id, part.name)) return;
    if (maker.by === BY_HAND && part.subject.adopts()) return ledger.give(id, part.name);
    // Its own was deleted by hand, and another create has taken the id: a refresh will show it.
    if (how.startsWith("has") && !isNew && ledger.hasMade(id, part.name)) return;
    const risk = await this.#riskOf(part, touched);
    if (risk !== undefined) {
      if (!ledger.risks.has(risk)) note(`known risk met: ${risk}`);
      ledger.excuse(id, part.name, risk);
    } else ledger.violations.push(`${part.name} ${how} ${id}, which ${maker.by} has made`);
  }

  async #riskOf(part: Part, { id, inputs }: Touched): Promise<Risk | undefined> {
    const { subject } = part;
    const { resources, creating } = this.#before;
    const { ledger } = this.#common;
    const isOwn = ({ urn }: Pick<Stored, "urn">): boolean => this.#stack.partOf(urn) === part;
    if (ledger.shared.has(id)) return "imported";
    if (subject.adopts()) return "adopted";
    const isLike = (declared: Stored["inputs"]) =>
      subject.isLike(recordOf(withoutSecretForm(declared)), id);
    for (const create of creating.filter(isOwn))
      if (await isLike(create.inputs)) return "interrupted";
    for (const stored of resources.filter(isPlaceholder).filter(isOwn))
      if (await isLike(stored.inputs)) return "unconfirmed";
    const { atMs = Number.NEGATIVE_INFINITY } = ledger.makerOf(id) ?? {};
    const isSimultaneous = this.#hasLostPost && atMs >= this.#startMs - SIMULTANEOUS_MS;
    return isSimultaneous && inputs && (await isLike(inputs)) ? "raced" : undefined;
  }
}

export function isPlaceholder({ id }: Pick<Stored, "id">): boolean {
  return id.startsWith("unconfirmed:");
}
