import { withoutSecretForm } from "../../provider/arguments/secrets";
import { recordOf } from "../../shared/records";
import type { Checkpoint, Stored } from "./checkpoint";
import type { Engine } from "./engine";
import { BY_HAND, type Ledger, type Risk } from "./ledger";
import type { Part } from "./part";
import { isCreate } from "./requests";
import type { Trial } from "./trial";

/** A thing, and the inputs of the create that runs or has ended. */
interface Touched {
  readonly id: string;
  readonly inputs?: Stored["inputs"] | undefined;
}

/** A stack as its judge sees it. */
interface Judged {
  readonly engine: Engine;
  readonly parts: readonly Part[];
  readonly partOf: (urn?: string) => Part;
  readonly holds: (id: string) => boolean;
}

interface Common extends Pick<Trial, "note" | "world"> {
  readonly ledger: Ledger;
}

/** The most time between two creates that count as simultaneous, by a clock of whole seconds. */
const SIMULTANEOUS_MS = 1_000;

/** Judges what the commands of a stack do to things of others, and what they leave. */
export class Judge {
  readonly #stack: Judged;
  readonly #common: Common;
  /** The state and the time before the command that runs. */
  #before: Checkpoint = { resources: [], creating: [] };
  #startMs = 0;
  /** Whether the response to a create was lost in it. */
  #hasLostPost = false;
  /** The ids of creates whose responses have reached the provider in it. */
  #acknowledged: string[] = [];
  /** Whether a process of it was killed. */
  #isKilled = false;
  /** The ledger's place before the command. */
  #place = 0;

  constructor(stack: Judged, common: Common) {
    this.#stack = stack;
    this.#common = common;
  }

  begin(): void {
    const { world, ledger } = this.#common;
    this.#before = this.#stack.engine.checkpoint;
    this.#startMs = world.now();
    this.#hasLostPost = this.#isKilled = false;
    this.#acknowledged = [];
    this.#place = ledger.place;
  }

  spoilt(method: string, path: string): void {
    if (isCreate(method, path)) this.#hasLostPost = true;
  }

  acknowledged(id: string): void {
    this.#acknowledged.push(id);
  }

  killed(): void {
    this.#isKilled = true;
  }

  /** A request that writes to a thing. */
  async sends(method: string, id: string): Promise<void> {
    const { engine } = this.#stack;
    const { ledger } = this.#common;
    const part = this.#stack.partOf(engine.asked);
    await this.#touches(part, { id, inputs: engine.running?.inputs }, `sends ${method} to`);
    if (method === "DELETE" && engine.running && ledger.used.has(id))
      ledger.violations.push(`a create of ${part.name} deletes ${id}, which people use`);
  }

  /** The end of a command. */
  async end(): Promise<void> {
    const { ledger } = this.#common;
    for (const { name } of this.#stack.parts)
      for (const id of ledger.leftBy(name, this.#place))
        ledger.violations.push(`${name} leaves ${id}, which this very command has made`);
    await this.#judgeAcknowledged();
    this.#hearWarnings();
    for (const stored of this.#stack.engine.state)
      if (!stored.isGone && !isProvisional(stored))
        await this.#touches(this.#stack.partOf(stored.urn), stored, "has in its state");
  }

  /**
   * Pulumi itself warns of interrupted creates. Where one was to replace what the state still has, no provider is asked of
   * what it has made.
   */
  #hearWarnings(): void {
    const { engine } = this.#stack;
    const { ledger } = this.#common;
    for (const { urn } of engine.checkpoint.creating) {
      const { name } = this.#stack.partOf(urn);
      const isReplaced = engine.state.some((stored) => stored.urn === urn && !stored.isGone);
      const made = ledger.madeBy(name).filter((id) => isReplaced && !this.#stack.holds(id));
      for (const id of made) ledger.hear(name, `interrupted while creating: ${urn}, ${id}`);
    }
  }

  /** After the service has accepted something, every failure keeps its id. */
  async #judgeAcknowledged(): Promise<void> {
    if (this.#isKilled) return;
    for (const id of this.#acknowledged.filter((made) => !this.#stack.holds(made)))
      for (const { name, subject } of this.#stack.parts)
        if (this.#common.ledger.makerOf(id)?.by === name && (await subject.live()).includes(id))
          this.#common.ledger.violations.push(`${name} has lost ${id}, whose create was confirmed`);
  }

  /** Judges whether a resource may touch a thing: its own, and one that cannot be distinguished from its own. */
  async #touches(part: Part, touched: Touched, how: string): Promise<void> {
    const { id } = touched;
    const { ledger, note } = this.#common;
    const isNew = !this.#before.resources.some((stored) => stored.id === id);
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
    for (const stored of resources.filter(isProvisional).filter(isOwn))
      if (await isLike(stored.inputs)) return "unconfirmed";
    const { atMs = Number.NEGATIVE_INFINITY } = ledger.makerOf(id) ?? {};
    const isSimultaneous = this.#hasLostPost && atMs >= this.#startMs - SIMULTANEOUS_MS;
    return isSimultaneous && inputs && (await isLike(inputs)) ? "raced" : undefined;
  }
}

export function isProvisional({ id }: Pick<Stored, "id">): boolean {
  return id.startsWith("unconfirmed:");
}
