import { type Running, until } from "../../processes";
import type { Random } from "../random";
import { Canaries } from "./canaries";
import { compare, straysAmong } from "./compare";
import { anInterruption, type Interruption, Interrupter } from "./interruption";
import type { RealPlatform } from "./platform";
import {
  changeWishes,
  declarationOf,
  secretOf,
  secretsOf,
  type Site,
  valuesOf,
  type Wish,
} from "./program";
import { errorsIn, inTheWayIn, takenIn } from "./output";
import { Service, type Thing } from "./service";
import { type FrontEndName, RealStack } from "./stack";

export const COMMANDS = ["create", "update", "delete"] as const;
export type CommandName = (typeof COMMANDS)[number];

const MOST_REPAIRS = 3;
const UP = ["up", "--yes", "--skip-preview"];
const DESTROY = ["destroy", "--yes", "--skip-preview"];
const REFRESH = ["refresh", "--yes", "--skip-preview"];

interface Parts {
  readonly platform: RealPlatform;
  readonly seed: number;
  readonly random: Random;
  readonly frontEnd: FrontEndName;
  readonly wishes: readonly Wish[];
}

/** One stack, whose command is interrupted once. */
export class RealTrial {
  readonly history: string[] = [];
  readonly violations: string[] = [];
  readonly #parts: Parts;
  readonly #site: Site;
  readonly #service: Service;
  readonly #stack: RealStack;
  readonly #canaries: Canaries;
  readonly #interrupter: Interrupter;
  readonly #secrets: Readonly<Record<string, string>>;
  /** The output of all commands. */
  #said = "";
  interruption: Interruption | undefined;
  /** The request at which the command was interrupted. */
  at: string | undefined;
  repairs = 0;

  private constructor(
    parts: Parts,
    site: Site,
    service: Service,
    stack: RealStack,
    secrets: Readonly<Record<string, string>>,
    canaries: Canaries,
  ) {
    this.#parts = parts;
    this.#site = site;
    this.#service = service;
    this.#stack = stack;
    this.#secrets = secrets;
    this.#canaries = canaries;
    const { platform } = parts;
    const note = this.#note.bind(this);
    this.#interrupter = new Interrupter({ platform, commands: stack, note });
    platform.controlPlane.weather = platform.agentServer.weather = this.#interrupter;
  }

  static async start(parts: Parts): Promise<RealTrial> {
    const { platform, seed, frontEnd, wishes } = parts;
    const { controlPlane, agentServer, agentServerUrl, identity } = platform;
    const workspace = await platform.addWorkspace(`seed ${seed}`);
    const service = new Service({ ...workspace, url: identity.url, agentServerUrl });
    const integrationId = await service.integrationId();
    const { workspaceId, apiKey } = workspace;
    const site = { workspaceId, integrationId, agentServerUrl: agentServer.url };
    const secrets = secretsOf(wishes, seed);
    const canaries = new Canaries();
    canaries.add("the control plane's key", apiKey);
    for (const [name, secret] of Object.entries(secrets)) canaries.add(name, secret);
    const place = { url: controlPlane.url, workspaceId, apiKey };
    const stack = await RealStack.create(frontEnd, place, secrets);
    return new RealTrial(parts, site, service, stack, secrets, canaries);
  }

  async close(): Promise<void> {
    const { controlPlane, agentServer } = this.#parts.platform;
    await this.#stack.remove();
    controlPlane.weather = agentServer.weather = undefined;
  }

  async run(command: CommandName) {
    const { wishes, random } = this.#parts;
    const kinds = wishes.map(({ name, isNamed }) => (isNamed ? `${name} (named)` : name));
    this.#note(`program: ${kinds.join(", ")}`);
    await this.#declare();
    if (command !== "create") await this.#expectSuccess(UP);
    let affected = wishes.length;
    if (command === "update") {
      const changes = changeWishes(wishes, random);
      affected = changes.length;
      this.#note(`program: ${changes.join(", ")}`);
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
    for (const { kind, id } of await this.#service.all())
      this.violations.push(`left after the destroy: ${kind} ${id}`);
    for (const { kind, id } of await this.#stack.held())
      this.violations.push(`in the state after the destroy: ${kind} ${id}`);
    await this.#searchFiles();
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
      await this.#obey(text);
    }
  }

  /** Does what the errors of a command say. */
  async #obey(text: string): Promise<void> {
    const things = await this.#service.all();
    for (const id of takenIn(text)) {
      const name = things.find((thing) => thing.id === id)?.name ?? "";
      const wish = this.#parts.wishes.find((one) => name.startsWith(one.name));
      if (wish === undefined) continue;
      wish.adoptExisting = true;
      this.#note(`program, as the error says: ${wish.name}: adoptExisting`);
    }
    for (const thing of inTheWayIn(text)) await this.#delete(thing);
    await this.#declare();
    if (text.includes("run `pulumi refresh`")) await this.#expectSuccess(REFRESH);
  }

  async #delete(thing: Pick<Thing, "kind" | "id">): Promise<void> {
    this.#note(`by hand, as a message says: deletes ${thing.kind} ${thing.id}`);
    await this.#service.remove(thing);
  }

  async #compare(): Promise<void> {
    const { wishes } = this.#parts;
    const held = await this.#stack.held();
    const strays = straysAmong({ held, things: await this.#service.all() });
    for (const thing of strays.filter(({ id }) => this.#isNamed(id))) await this.#delete(thing);
    const secretIn = (wish: Wish) => this.#secrets[secretOf(wish, wish.secret)] ?? "";
    const declared = new Map(
      wishes.map((wish) => [wish.name, valuesOf(wish, this.#site, secretIn(wish))] as const),
    );
    this.violations.push(...compare({ held, things: await this.#untilGone(strays), declared }));
  }

  /** The service's things, when those that were deleted by hand are gone. */
  async #untilGone(deleted: readonly Thing[]): Promise<Thing[]> {
    let things: Thing[] = [];
    await until("the end of what was deleted by hand", async () => {
      things = await this.#service.all();
      return !things.some(({ id }) => this.#isNamed(id) && deleted.some((one) => one.id === id));
    });
    return things;
  }

  #isNamed(id: string): boolean {
    return this.#said.includes(id);
  }

  async #checkRest(): Promise<void> {
    await this.#expectSuccess(["preview", "--expect-no-changes"]);
    this.#interrupter.writes = [];
    await this.#expectSuccess([...UP, "--expect-no-changes"]);
    const { writes } = this.#interrupter;
    if (writes.length > 0)
      this.violations.push(`an up without a change writes: ${writes.join(", ")}`);
  }

  async #searchFiles(): Promise<void> {
    await this.#canaries.searchFolder(this.#stack.project.dir);
    this.#canaries.search("the output of the platform", this.#parts.platform.text());
    this.violations.push(...this.#canaries.leaks);
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
    const finished = await this.#stack.watch(running, this.#canaries);
    this.#said += finished.text;
    for (const line of errorsIn(finished.text)) this.#note(`  | ${line}`);
    this.#note(`  exit code ${finished.code}`);
    return finished;
  }

  async #declare(): Promise<void> {
    const declared = this.#parts.wishes.map((wish) => {
      return [wish.name, declarationOf(wish, this.#site)] as const;
    });
    await this.#stack.declare(Object.fromEntries(declared));
  }

  #note(line: string): void {
    // A poll that repeats shows nothing new.
    if (this.history.at(-1) !== line) this.history.push(line);
  }
}
