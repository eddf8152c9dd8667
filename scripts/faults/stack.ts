import { z } from "zod";
import { KINDS } from "../../provider/kinds";
import { type Checkpoint, inStack, renamed, type Stored } from "./checkpoint";
import { doorOf, startProcesses } from "./doors";
import { Engine, type Result } from "./engine";
import type { Ledger, Risk } from "./ledger";
import type { Passing } from "./proxy";
import type { Subject } from "./subject";
import type { DoorName, Place, Trial } from "./trial";
import { type Forecast, type Kill, type Replicas, ScheduledWeather } from "./weather";

/** A program, or the part of one, that has one thing. */
export interface Party {
  readonly name: string;
  readonly place: Place;
  readonly subject: Subject;
}

/** Options of the failures of a schedule's commands. */
export interface Habits {
  readonly killsEngines: boolean;
  /** Whether a hook of the program has failed creates and updates called again. */
  readonly retries: boolean;
  /** The pause before a command. */
  readonly pauseMs: () => number;
}

const SECRET_INPUTS: Readonly<Record<string, readonly string[]>> = {
  deployment: KINDS.Deployment.secrets.inputs,
  thread: KINDS.Thread.secrets.inputs,
};

/** A thing, and the inputs of the create that runs or has ended. */
interface Touched {
  readonly id: string;
  readonly inputs?: Stored["inputs"] | undefined;
}

/** The most time between two creates that count as simultaneous, by a clock of whole seconds. */
const SIMULTANEOUS_MS = 1_000;

/** One state, with the commands that people run on it, and what these do to things of others. */
export class StackRun {
  readonly name: string;
  readonly parties: readonly Party[];
  readonly engine: Engine;
  readonly #trial: Omit<Trial, "place" | "ownName" | "isOthers">;
  readonly #ledger: Ledger;
  readonly #habits: Habits;
  readonly #weather: ScheduledWeather;
  #isStormy = true;
  /** Only a refresh shows changes by other clients, or by a deletion that was lost. */
  isDisturbed = false;
  /** Whether a create failed, and none has succeeded since. */
  #isUnfinished = false;
  #onKill: (who: Kill["who"]) => void = () => undefined;
  /** The state and the time before the command that runs. */
  #before: Checkpoint = { resources: [], creating: [] };
  #startMs = 0;
  /** Whether the response to a create was lost in it. */
  #hasLostPost = false;
  #meanwhile: { countdown: number; readonly run: () => Promise<unknown> } | undefined;

  constructor(parts: {
    readonly name: string;
    readonly parties: readonly Party[];
    readonly trial: Omit<Trial, "place" | "ownName" | "isOthers">;
    readonly ledger: Ledger;
    readonly replicas: Replicas;
    readonly habits: Habits;
  }) {
    const { trial, replicas } = parts;
    const { random } = trial;
    this.name = parts.name;
    this.parties = parts.parties;
    this.#trial = trial;
    this.#ledger = parts.ledger;
    this.#habits = parts.habits;
    this.#weather = new ScheduledWeather({
      random,
      replicas,
      note: trial.note,
      onKill: (who) => this.#onKill(who),
      meet: (passing) => this.#meet(passing),
      spoil: ({ method, path }) => {
        if (method === "POST" && CREATES.test(path)) this.#hasLostPost = true;
      },
      learn: ({ method, path }, { status, body }) => {
        const id = method === "POST" && status < 300 ? madeBy(path, body.toString()) : undefined;
        if (id !== undefined)
          this.#ledger.made(id, this.#partyOf(this.engine.asked).name, trial.world.now());
      },
    });
    this.engine = new Engine(() => this.#start(), {
      retries: () => this.#habits.retries && this.#isStormy && random.chance(0.3),
      secretInputs: (kind) => SECRET_INPUTS[kind] ?? [],
    });
  }

  get isUnfinished(): boolean {
    return this.#isUnfinished;
  }

  /** Whether the state has it. */
  holds(id: string): boolean {
    return this.engine.state.some((stored) => stored.id === id && !stored.isGone);
  }

  calm(): void {
    this.#isStormy = false;
    this.#weather.forecast = { share: 0 };
  }

  /** Has something else done while the next command runs. */
  meanwhile(countdown: number, run: () => Promise<unknown>): void {
    this.#meanwhile = { countdown, run };
  }

  /** As `pulumi stack rename`. */
  rename(stack: string): void {
    for (const { place } of this.parties) place.stack = stack;
    this.engine.load(renamed(this.engine.checkpoint, (urn) => inStack(urn, stack)));
  }

  anyCommand(): Promise<Result> {
    const { random } = this.#trial;
    this.#weather.forecast = this.#forecast();
    const roll = random.next();
    if (roll < 0.2) return this.refresh(random.chance(0.1));
    if (roll < 0.25) return this.destroy();
    return this.up(roll < 0.3 ? this.#program().map(({ urn }) => urn) : []);
  }

  /** The create that is lost right after it was accepted. */
  async lostCreate(): Promise<void> {
    const kill = { at: 0, among: "writes", moment: "after", who: "process" } as const;
    this.#weather.forecast = { share: 0, kill };
    await this.up();
  }

  async up(replace: readonly string[] = []): Promise<Result> {
    const name = replace.length > 0 ? "up --replace" : "up";
    const result = await this.#command(name, async () => {
      for (const { subject } of this.parties) await subject.before();
      return this.engine.up(this.#program(), replace);
    });
    const { errors, retries } = result;
    if (result.isGreen) this.#isUnfinished = false;
    for (const { subject } of this.parties)
      for (const wrong of await subject.wrongAfterUp(errors.join("\n"), retries))
        this.#ledger.violations.push(`after ${name} of ${this.name}: ${wrong}`);
    return result;
  }

  refresh(clearsCreates = false): Promise<Result> {
    const name = clearsCreates ? "refresh --clear-pending-creates" : "refresh";
    return this.#command(name, () => this.engine.refresh(clearsCreates));
  }

  destroy(): Promise<Result> {
    return this.#command("destroy", () => this.engine.destroy());
  }

  preview(): Promise<Result> {
    return this.#command("preview", () => this.engine.preview(this.#program()));
  }

  /** Does what the errors of an `up` say. */
  async obey(errors: readonly string[]): Promise<void> {
    const text = errors.join("\n");
    for (const { subject } of this.parties) {
      // An error is about the resource at which the command ended.
      if (!subject.program().some(({ urn }) => urn === this.engine.asked)) continue;
      const obeyed = await subject.obey(text, this.engine.state);
      if (obeyed === undefined) continue;
      this.#note(`program, as the error says: ${obeyed}`);
      if (obeyed.includes("refresh")) await this.refresh();
      const [declared] = subject.program();
      const [, imported] = /^pulumi import (\S+)$/.exec(obeyed) ?? [];
      if (imported !== undefined && declared !== undefined)
        await this.#command("import", () => this.engine.import(declared, imported));
    }
  }

  /** Takes back what is declared for one `up` alone; whether there was anything. */
  settle(): boolean {
    return this.parties.map(({ subject }) => subject.settle()).includes(true);
  }

  #program() {
    return this.parties.flatMap(({ subject }) => subject.program());
  }

  #partyOf(urn = ""): Party {
    const [first] = this.parties;
    const found = this.parties.find(({ place }) => place.door === doorOf(urn)) ?? first;
    if (found === undefined) throw new Error("a stack has a program");
    return found;
  }

  async #start() {
    const { random, world, workspace, note } = this.#trial;
    const urns = [...this.#program(), ...this.engine.state].map(({ urn }) => urn);
    const doors: DoorName[] = [...new Set(urns.map(doorOf))];
    const processes = await startProcesses(doors, {
      random,
      world,
      workspace,
      say: (text) => {
        note(`    | ${text}`);
        this.#ledger.hear(this.name, text);
      },
      onLeak: (what) => void this.#ledger.violations.push(what),
      exportState: () => (this.#weather.hidesState ? undefined : this.engine.exported()),
    });
    this.#onKill = processes.lose;
    return processes;
  }

  async #command(name: string, run: () => Promise<Result>): Promise<Result> {
    const { world } = this.#trial;
    await world.advance(this.#habits.pauseMs());
    this.#note(name);
    const { controlPlane, agentServer } = world;
    const others = [controlPlane.weather, agentServer.weather];
    controlPlane.weather = agentServer.weather = this.#weather;
    this.#before = this.engine.checkpoint;
    this.#startMs = world.now();
    this.#hasLostPost = false;
    const said = this.#ledger.messages;
    this.#ledger.hear(this.name, name);
    const result = await run().finally(() => {
      [controlPlane.weather, agentServer.weather] = others;
      this.#meanwhile = undefined;
    });
    const last = result.steps.at(-1) ?? "";
    if (!result.isGreen && last.startsWith("create")) this.#isUnfinished = true;
    if (!result.isGreen && last.startsWith("delete")) this.isDisturbed = true;
    for (const error of result.errors) {
      this.#note(`  error: ${error}`);
      this.#ledger.hear(this.name, error);
    }
    const [only, another] = this.parties;
    if (only !== undefined && another === undefined)
      for (const id of this.#ledger.madeBy(only.name, said + 1))
        if (this.#ledger.isLeft(id, this.name, said))
          this.#ledger.violations.push(
            `${only.name} leaves ${id}, which this very command has made`,
          );
    this.#note(`  ${result.isGreen ? "green" : "failed"}: ${result.steps.join(", ") || "nothing"}`);
    for (const stored of this.engine.state)
      if (!stored.isGone && !isProvisional(stored))
        await this.#judge(this.#partyOf(stored.urn), stored, "has in its state");
    return result;
  }

  async #meet({ method, path }: Passing): Promise<void> {
    const waiting = this.#meanwhile;
    if (waiting && (waiting.countdown -= 1) < 0) {
      this.#meanwhile = undefined;
      await waiting.run();
    }
    const id = writtenBy(method, path);
    if (id === undefined) return;
    const party = this.#partyOf(this.engine.asked);
    await this.#judge(party, { id, inputs: this.engine.running?.inputs }, `sends ${method} to`);
    if (method === "DELETE" && this.engine.running && this.#ledger.used.has(id))
      this.#ledger.violations.push(`a create of ${party.name} deletes ${id}, which people use`);
  }

  /** Judges whether a program may touch a thing: its own, and one that cannot be distinguished from its own. */
  async #judge(party: Party, touched: Touched, what: string): Promise<void> {
    const { id } = touched;
    const ledger = this.#ledger;
    const isNew = !this.#before.resources.some((stored) => stored.id === id);
    if (isNew && ledger.used.has(id) && what.startsWith("has"))
      ledger.violations.push(`${party.name} adopts ${id}, which people use`);
    const maker = ledger.makerOf(id);
    if (maker === undefined || maker.by === party.name || ledger.isExcused(id, party.name)) return;
    // Its own was deleted by hand, and another create has taken the id: a refresh will show it.
    if (what.startsWith("has") && !isNew && ledger.hasMade(id, party.name)) return;
    const risk = await this.#riskOf(party, touched);
    if (risk !== undefined) {
      if (!ledger.risks.has(risk)) this.#note(`known risk met: ${risk}`);
      ledger.excuse(id, party.name, risk);
    } else ledger.violations.push(`${party.name} ${what} ${id}, which ${maker.by} has made`);
  }

  async #riskOf({ place, subject }: Party, { id, inputs }: Touched): Promise<Risk | undefined> {
    const { resources, creating } = this.#before;
    const isOwn = ({ urn }: Pick<Stored, "urn">): boolean => doorOf(urn) === place.door;
    if (this.#ledger.shared.has(id)) return "imported";
    for (const create of creating.filter(isOwn))
      if (await subject.isLike(create.inputs, id)) return "interrupted";
    for (const stored of resources.filter(isProvisional).filter(isOwn))
      if (await subject.isLike(stored.inputs, id)) return "unconfirmed";
    const { atMs = Number.NEGATIVE_INFINITY } = this.#ledger.makerOf(id) ?? {};
    const isSimultaneous = this.#hasLostPost && atMs >= this.#startMs - SIMULTANEOUS_MS;
    return isSimultaneous && inputs && (await subject.isLike(inputs, id)) ? "raced" : undefined;
  }

  #forecast(): Forecast {
    const { random } = this.#trial;
    const roll = random.next();
    const hidesState = random.chance(0.1);
    if (roll < 0.1) return { share: 0, hidesState, isLate: true };
    if (roll < 0.25) return { share: 0, hidesState };
    const share = random.pick([0.03, 0.1, 0.25]);
    if (roll < 0.55) return { share, hidesState };
    const among = random.pick(["requests", "writes", "writes"]);
    const at = random.below(among === "writes" ? 2 : 14);
    const moment = random.pick(["before", "after", "after"]);
    const who = this.#habits.killsEngines
      ? random.pick(["process", "process", "engine"])
      : "process";
    return { share: random.pick([0, 0, 0.1]), hidesState, kill: { at, among, moment, who } };
  }

  #note(line: string): void {
    this.#trial.note(this.name === "" ? line : `${this.name}: ${line}`);
  }
}

export function isProvisional({ id }: Pick<Stored, "id">): boolean {
  return id.startsWith("unconfirmed:");
}

const Made = z.union([
  z.object({ id: z.string() }).transform(({ id }) => id),
  z.object({ thread_id: z.string() }).transform(({ thread_id: id }) => id),
]);

const CREATES = /^\/(v2\/deployments|v2\/listeners|threads)$/;

/** The id of what a POST has created. */
function madeBy(path: string, body: string): string | undefined {
  if (!CREATES.test(path)) return undefined;
  return Made.safeParse(JSON.parse(body)).data;
}

/** The id of what a request writes to. */
function writtenBy(method: string, path: string): string | undefined {
  const [, id, rest] =
    /^\/(?:v2\/deployments|v2\/listeners|threads)\/([^/?]+)([^?]*)/.exec(path) ?? [];
  const isRead = method === "GET" || id === "search" || rest === "/history";
  return isRead ? undefined : id;
}
