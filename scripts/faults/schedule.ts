import { deploymentSubject } from "./deployment";
import { DOORS } from "./doors";
import { Engine, type Result } from "./engine";
import { listenerSubject } from "./listener";
import { Random } from "./random";
import type { Subject } from "./subject";
import { threadSubject } from "./thread";
import type { DoorName, Trial } from "./trial";
import { type Forecast, type Kill, ScheduledWeather } from "./weather";
import { makeWorkspace, type World } from "./world";

/** The kinds of resources that schedules are made for. */
export const KINDS = {
  deployment: deploymentSubject,
  listener: listenerSubject,
  thread: threadSubject,
} satisfies Record<string, (trial: Trial) => Promise<Subject>>;
export type KindName = keyof typeof KINDS;

/** What a schedule came to. */
export interface Report {
  readonly seed: number;
  /** What does not hold; none when all is well. */
  readonly violations: readonly string[];
  readonly history: readonly string[];
}

const MOST_REPAIRS = 3;
const BETWEEN_COMMANDS_MS = 30_000;

/**
 * Runs one random schedule: commands that meet faults and kills, while the program and the world change between them. Then
 * the world is repaired, the program is brought up, and everything is compared.
 */
export async function runSchedule(
  world: World,
  kind: KindName,
  seed: number,
  door: DoorName = "dynamic",
): Promise<Report> {
  const random = new Random(seed);
  const history: string[] = [];
  const note = (line: string): void => void history.push(line);
  const workspace = makeWorkspace(world, `${kind} ${door} ${seed}`);
  const trial: Trial = { world, workspace, random, note, door };
  const run = new ScheduleRun(trial, await KINDS[kind](trial));
  try {
    await run.storm();
    await run.repair();
    await run.destroy();
  } finally {
    run.end();
  }
  return { seed, violations: run.violations, history };
}

class ScheduleRun {
  readonly violations: string[] = [];
  readonly #world: World;
  readonly #random: Random;
  readonly #subject: Subject;
  readonly #note: (line: string) => void;
  readonly #engine: Engine;
  readonly #weather: ScheduledWeather;
  #isDisturbed = false;
  /** Whether a create failed, and none has succeeded since. */
  #isUnfinished = false;
  #onKill: (who: Kill["who"]) => void = () => undefined;

  constructor(trial: Trial, subject: Subject) {
    const { world, random, note, door } = trial;
    this.#world = world;
    this.#random = random;
    this.#subject = subject;
    this.#note = note;
    const onKill = (who: Kill["who"]): void => this.#onKill(who);
    this.#weather = new ScheduledWeather({ random, now: world.now, onKill, note });
    world.controlPlane.weather = this.#weather;
    world.agentServer.weather = this.#weather;
    const onLeak = (what: string): void => void this.violations.push(what);
    this.#engine = new Engine(async () => {
      const process = await DOORS[door]({ ...trial, onLeak });
      this.#onKill = process.lose;
      return process;
    });
  }

  end(): void {
    this.#world.controlPlane.weather = undefined;
    this.#world.agentServer.weather = undefined;
  }

  async storm(): Promise<void> {
    if (this.#random.chance(0.25)) await this.#lostCreate();
    for (let steps = 3 + this.#random.below(5); steps > 0; steps -= 1) {
      if (this.#random.chance(0.6))
        this.#note(`program: ${this.#subject.change(this.#isUnfinished)}`);
      if (this.#random.chance(0.12)) {
        this.#isDisturbed = true;
        this.#noteAny("somebody", await this.#subject.disturb());
      }
      if (this.#random.chance(0.2)) this.#noteAny("service", await this.#subject.doom());
      await this.#anyCommand();
    }
  }

  /** The create that is lost right after it was accepted. */
  async #lostCreate(): Promise<void> {
    const kill = { at: 0, among: "writes", moment: "after", who: "process" } as const;
    this.#weather.forecast = { share: 0, kill };
    await this.#up();
  }

  /** Without faults the program must come up within three tries, whatever has happened. */
  async repair(): Promise<void> {
    this.#weather.forecast = { share: 0 };
    this.#subject.repair();
    this.#note("repaired");
    // What somebody else has changed is seen by a refresh alone.
    if (this.#isDisturbed || this.#random.chance(0.5))
      await this.#command("refresh", () => this.#engine.refresh());
    for (let tries = 1; ; tries += 1) {
      const { isGreen, errors } = await this.#up();
      if (isGreen) break;
      const obeyed = await this.#subject.obey(errors.join("\n"), this.#engine.state);
      this.#noteAny("program, as the error says", obeyed);
      if (obeyed?.includes("refresh")) await this.#command("refresh", () => this.#engine.refresh());
      const [declared] = this.#subject.program();
      const [, imported] = /^pulumi import (\S+)$/.exec(obeyed ?? "") ?? [];
      if (imported !== undefined && declared !== undefined)
        await this.#command("import", () => this.#engine.import(declared, imported));
      if (tries === MOST_REPAIRS) {
        this.violations.push(`still not up after ${tries} tries: ${errors.join("; ")}`);
        return;
      }
    }
    this.violations.push(...(await this.#subject.wrongAtRest(this.#engine.state)));
    const { steps } = await this.#command("preview", () =>
      this.#engine.preview(this.#subject.program()),
    );
    if (steps.length > 0) this.violations.push(`the next preview is not clean: ${steps.join()}`);
  }

  async destroy(): Promise<void> {
    const { isGreen, errors } = await this.#command("destroy", () => this.#engine.destroy());
    if (!isGreen) this.violations.push(`destroy failed: ${errors.join("; ")}`);
    for (const left of await this.#subject.leftovers())
      this.violations.push(`left after the destroy: ${left}`);
  }

  async #anyCommand(): Promise<void> {
    this.#weather.forecast = this.#forecast();
    const roll = this.#random.next();
    if (roll < 0.2) await this.#command("refresh", () => this.#engine.refresh());
    else if (roll < 0.25) await this.#command("destroy", () => this.#engine.destroy());
    else if (roll < 0.3) await this.#up(this.#subject.program().map(({ urn }) => urn));
    else await this.#up();
  }

  #forecast(): Forecast {
    const roll = this.#random.next();
    if (roll < 0.25) return { share: 0 };
    const share = this.#random.pick([0.03, 0.1, 0.25]);
    if (roll < 0.55) return { share };
    const among = this.#random.pick(["requests", "writes", "writes"]);
    const at = this.#random.below(among === "writes" ? 2 : 14);
    const moment = this.#random.pick(["before", "after", "after"]);
    const who = this.#random.pick(["process", "process", "engine"]);
    return { share: this.#random.pick([0, 0, 0.1]), kill: { at, among, moment, who } };
  }

  async #up(replace: readonly string[] = []): Promise<Result> {
    const name = replace.length > 0 ? "up --replace" : "up";
    const result = await this.#command(name, async () => {
      await this.#subject.before();
      return this.#engine.up(this.#subject.program(), replace);
    });
    if (result.isGreen) this.#isUnfinished = false;
    for (const wrong of await this.#subject.wrongAfterUp(result.errors.join("\n")))
      this.violations.push(`after ${name}: ${wrong}`);
    return result;
  }

  async #command(name: string, run: () => Promise<Result>): Promise<Result> {
    await this.#world.advance(BETWEEN_COMMANDS_MS);
    this.#note(name);
    const result = await run();
    if (!result.isGreen && result.steps.at(-1)?.startsWith("create")) this.#isUnfinished = true;
    // What a deletion has done that was lost, a refresh shows alone.
    if (!result.isGreen && result.steps.at(-1)?.startsWith("delete")) this.#isDisturbed = true;
    for (const error of result.errors) this.#note(`  error: ${error}`);
    this.#note(`  ${result.isGreen ? "green" : "failed"}: ${result.steps.join(", ") || "nothing"}`);
    return result;
  }

  #noteAny(who: string, what: string | undefined): void {
    if (what !== undefined) this.#note(`${who}: ${what}`);
  }
}
