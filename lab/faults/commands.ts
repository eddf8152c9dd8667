import { messageOf } from "../../shared/errors";
import { Engine } from "./engine";
import { FaultInjector } from "./fault-injector";
import { frontEndOf, startProcesses } from "./front-ends";
import { type Command, described, type Interruption, type StackName } from "./history";
import { Invariants } from "./invariants";
import { leaksIn, leaksOf, showsSecret } from "./leaks";
import { lookUp } from "./lookups";
import type { Part } from "./part";
import type { Result } from "./provider";
import type { Passing } from "./proxy";
import { RealEngine } from "./real/engine";
import { isCopy, madeBy, writtenBy } from "./requests";
import type { Asking } from "./serving";
import { Stack } from "./stack";
import type { Scenario } from "./trial";

const PAUSE_MS = 30_000;

/** A command of another stack that runs when this one's request of a number comes. */
interface Meanwhile {
  readonly at: number;
  /** Returns the number of its writes. */
  readonly run: () => Promise<number>;
}

/** A stack with the commands that people run on it, and what these do to things of others. */
export class StackRun extends Stack {
  readonly #scenario: Scenario;
  readonly #injector: FaultInjector;
  #invariants: Invariants | undefined;
  /** The revisions that another client has created while this command waits. */
  #news: readonly string[] = [];
  #retries = 0;
  #lose: (what: Interruption) => void = () => undefined;
  #requests = 0;
  #writesMeanwhile = 0;
  #meanwhile: { countdown: number; readonly run: Meanwhile["run"] } | undefined;

  constructor(name: StackName, scenario: Scenario) {
    const { workspace, note, ledger, environment } = scenario;
    const engine = environment.process
      ? new RealEngine({
          workspace,
          platform: environment.process,
          note,
          say: (text) => ledger.record("", text),
          onLeak: (what) => ledger.violations.push(what),
          requests: () => this.#requests,
        })
      : new Engine(() => this.#start(), {
          retries: () => (this.#retries -= 1) >= 0,
          onError: (error) => ledger.violations.push(...leaksOf(error)),
        });
    super(name, engine);
    this.#scenario = scenario;
    this.#injector = new FaultInjector(scenario, {
      meet: (passing) => this.#meet(passing),
      interrupt: async (what) => {
        this.#invariants?.interrupted(what);
        scenario.serving.cutShort(this.#asking(engine.asked).call);
        await (engine instanceof RealEngine ? engine.interrupt(what) : this.#lose(what));
      },
      beOvertaken: () => this.#beOvertaken(),
      onFault: (passing) => this.#invariants?.onFault(passing),
      asked: () => engine.asked,
      learn: (passing, answer, asked, isLate) => {
        const asking = () => (isLate || asked === undefined ? undefined : this.#asking(asked));
        scenario.serving.learn(passing, answer, asking);
        const id = madeBy(passing, answer);
        if (id === undefined) return;
        this.#invariants?.created(id, isCopy(passing), isLate);
        // The real engine does not say whose request it is.
        if (asked === undefined) return;
        scenario.replicas.created(id);
        ledger.made(id, this.partOf(asked).name, environment.now(), isLate);
      },
    });
  }

  /** Runs a command, and something else when its request of a number comes. */
  async run(command: Command, meanwhile?: Meanwhile): Promise<Result> {
    const { environment, note, ledger, serving } = this.#scenario;
    await environment.advance(command.pauseMs ?? PAUSE_MS);
    note(`${this.name}: ${described(command)}`);
    this.#retries = command.retries ?? 0;
    this.#writesMeanwhile = 0;
    this.#meanwhile = meanwhile && { countdown: meanwhile.at, run: meanwhile.run };
    const { controlPlane, agentServer } = environment;
    const others = [controlPlane.handler, agentServer.handler] as const;
    controlPlane.handler = agentServer.handler = this.#injector.handle;
    this.#injector.begin(command);
    const invariants = (this.#invariants = new Invariants(this, this.#scenario, command));
    const result = await this.#perform(command).finally(() => {
      [controlPlane.handler, agentServer.handler] = others;
      this.#meanwhile = undefined;
    });
    await this.#injector.end();
    await this.#conclude(command, result, invariants);
    await invariants.end();
    await serving.look();
    for (const leak of leaksIn(this.engine.state))
      ledger.violations.push(`the state has a secret in clear: ${leak}`);
    this.exports.push(this.engine.checkpoint);
    return result;
  }

  /** Takes what has this id into the state, as `pulumi import` does. */
  async import(part: Part, id: string): Promise<Result> {
    this.#scenario.note(`${this.name}: pulumi import ${id} as ${part.name}`);
    this.#injector.begin({ faults: [] });
    return this.engine.import(part.declared(), id);
  }

  /** The number of writes of the last command. */
  get writes(): number {
    return this.#injector.writes;
  }

  /** Whether a response of the command may not be that of the service as it is. */
  get #isMisled(): boolean {
    return this.#scenario.conditions.isLate === true || this.#injector.isMisled;
  }

  async #perform(command: Command): Promise<Result> {
    const { run, continueOnError = false, refresh = false } = command;
    if (run === "destroy") return this.engine.destroy({ refresh });
    if (run === "refresh") return this.engine.refresh(command.clearPendingCreates);
    if (run === "up") for (const { subject } of this.parts) await subject.before();
    const message = this.#scenario.looksUp ? await this.#lookUp() : undefined;
    if (message !== undefined) {
      const errors = [{ urn: "", message }];
      return { isGreen: false, errors, steps: [], retained: [], retries: 0 };
    }
    if (run === "preview") return this.engine.preview(this.program());
    // What the program no longer has is named as the state has it, which a rename since does not change.
    const urns = (numbers: readonly number[]) =>
      this.numbered(numbers).flatMap((part) =>
        part.isDeclared ? part.declared().urn : this.storedOf(part).map(({ urn }) => urn),
      );
    const target = command.target && urns(command.target);
    const options = { replace: urns(command.replace ?? []), target, continueOnError, refresh };
    return this.engine.up(this.program(), options);
  }

  /** A program looks something up before it declares its resources; the message of the error that ends it. */
  async #lookUp(): Promise<string | undefined> {
    const { violations } = this.#scenario.ledger;
    try {
      violations.push(...(await lookUp(this.#scenario)));
      return undefined;
    } catch (error) {
      violations.push(...leaksOf(error));
      return messageOf(error);
    }
  }

  async #conclude(command: Command, result: Result, invariants: Invariants): Promise<void> {
    const { note, ledger } = this.#scenario;
    const { isGreen, errors, steps, retained } = result;
    for (const { urn, message } of errors) {
      note(`  error: ${message}`);
      ledger.record(this.partOf(urn).name, message);
    }
    note(`  ${isGreen ? "green" : "failed"} in ${this.name}: ${steps.join(", ") || "nothing"}`);
    this.lastErrors = errors;
    for (const id of retained) ledger.retained.add(id);
    const { writes, lateWrites } = this.#injector;
    const isDeleting = steps.some((step) => step.startsWith("delete"));
    const refreshes = command.run === "refresh" || command.refresh === true;
    const isOutdated = (!isGreen && isDeleting) || lateWrites > 0 || (refreshes && this.#isMisled);
    if (isOutdated) this.needsRefresh = true;
    if (command.run === "preview" && writes > 0)
      ledger.violations.push(`a preview sent ${writes} writes`);
    if (command.run === "up") {
      const allowance = lateWrites + this.#news.length;
      const writesMeanwhile = this.#writesMeanwhile;
      await invariants.up(result, { allowance, writesMeanwhile, isFaithful: !this.#isMisled });
    }
    this.#checkOthersNamed();
  }

  /** Another client creates a revision of the deployment that the engine asks about. */
  async #beOvertaken(): Promise<void> {
    const { serving, note, random } = this.#scenario;
    const part = this.partOf(this.engine.asked);
    if (part.kind !== "deployment") return;
    const done = await part.subject.drift(random);
    note(`    another client ${done ?? "finds nothing"}`);
    this.needsRefresh = true;
    this.#news = await serving.look();
  }

  /** A message names what another client has created, where the state takes it for known; a push explains it too. */
  #checkOthersNamed(): void {
    const { ledger } = this.#scenario;
    const { state } = this.engine;
    const followsPushes = [this.program(), state].some((all) =>
      JSON.stringify(all).includes('"buildOnPush":true'),
    );
    for (const id of this.#news)
      if (state.some(({ outputs }) => outputs["latestRevisionId"] === id))
        if (this.#injector.isCalm && !ledger.hasNamed(id) && !followsPushes)
          ledger.violations.push(`no message names ${id}, which another client has created`);
    this.#news = [];
  }

  /** A create ignores nothing. */
  #asking(urn?: string): Asking {
    const part = this.partOf(urn);
    return {
      call: `${this.name}.${this.engine.calls}`,
      inputs: part.subject.declared().inputs,
      ignored: this.engine.running === undefined ? part.ignored : [],
      isMisled: this.#isMisled,
    };
  }

  async #start() {
    const { note, ledger } = this.#scenario;
    const urns = [...this.program(), ...this.engine.state].map(({ urn }) => urn);
    const processes = await startProcesses([...new Set(urns.map(frontEndOf))], {
      ...this.#scenario,
      say: (text) => {
        note(`    | ${text}`);
        ledger.record(this.partOf(this.engine.asked).name, text);
      },
      show: (text) => {
        if (showsSecret(text)) ledger.violations.push(`the progress shows a secret: ${text}`);
      },
      exportState: () => (this.#injector.hidesState ? undefined : this.engine.exported()),
    });
    this.#lose = processes.lose;
    return processes;
  }

  async #meet(passing: Passing): Promise<void> {
    this.#requests += 1;
    const waiting = this.#meanwhile;
    if (waiting && (waiting.countdown -= 1) < 0) {
      this.#meanwhile = undefined;
      this.#writesMeanwhile = await waiting.run();
    }
    this.#invariants?.asks(passing.path);
    const id = writtenBy(passing);
    if (id === undefined) return;
    const { method, path } = passing;
    if (method === "DELETE" && path.startsWith("/v2/deployments/"))
      await this.#scenario.serving.check(id);
    await this.#invariants?.sends(method, id);
  }
}
