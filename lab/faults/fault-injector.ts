import type { ConditionFault } from "./conditions";
import {
  type Command,
  INTERRUPTIONS,
  type Interruption,
  LASTING,
  OTHER_DEPLOYS,
  type PlannedFault,
} from "./history";
import type { Replicas } from "./replicas";
import { isWrite } from "./requests";
import { type Answer, type Fault, FAULTS, type FaultInjector, type Passing } from "./proxy";

/** Number of requests that overtake a late one. */
const OVERTAKING = 3;

interface InjectorParts {
  readonly replicas: Replicas;
  readonly conditionFault: ConditionFault;
  readonly onInterruption: (what: Interruption) => void | Promise<void>;
  readonly note: (line: string) => void;
  readonly meet: FaultInjector["meet"];
  readonly shown: FaultInjector["shown"];
  /** Has another client create a revision. */
  readonly deploy: () => Promise<unknown>;
  /** Called with each request that meets a fault. */
  readonly onFault: (passing: Passing) => void;
  /** The resource that the engine asks about. */
  readonly asked: () => string | undefined;
  /** Called with each answer, whether it arrives or not: the resource that was asked about, and whether its client has given it up. */
  readonly learn: (
    passing: Passing,
    answer: Answer,
    origin: { readonly asked: string | undefined; readonly isLate: boolean },
  ) => void;
}

/** Faults whose response is not that of the service as it is now, or a moment later. */
const MISLEADING: readonly string[] = [
  "stale",
  "not found yet",
  "old list",
  "old response",
  "replicas lag",
  "late",
  OTHER_DEPLOYS,
];

type Planned = Pick<Command, "faults" | "hidesState">;

/** The injector of one stack's commands; every request that meets a fault stands in the history. */
export class PlannedFaults implements FaultInjector {
  readonly replicas: Replicas;
  readonly shown: FaultInjector["shown"];
  readonly #parts: InjectorParts;
  #planned: Planned = { faults: [] };
  readonly #counts = { request: 0, write: 0 };
  #lasting: (typeof LASTING)[number] | undefined;
  /** Whether another client has created a revision. */
  #isOvertaken = false;
  #late: { countdown: number; readonly send: () => Promise<void> }[] = [];
  /** Number of late writes that were sent, each perhaps once more than its client wanted. */
  lateWrites = 0;

  constructor(parts: InjectorParts) {
    this.#parts = parts;
    this.replicas = parts.replicas;
    this.shown = parts.shown;
  }

  /** Whether a response of this command may not be that of the service as it is. */
  get isMisled(): boolean {
    return this.#planned.faults.some(({ what }) => MISLEADING.includes(what));
  }

  /** Whether nothing fails in this command. */
  get isCalm(): boolean {
    return this.#planned.faults.every(({ what }) => what === OTHER_DEPLOYS);
  }

  get hidesState(): boolean {
    return this.#planned.hidesState ?? false;
  }

  /** The number of writes of this command. */
  get writes(): number {
    return this.#counts.write;
  }

  begin(planned: Planned): void {
    this.#planned = planned;
    this.#lasting = undefined;
    this.#isOvertaken = false;
    Object.assign(this.#counts, { request: 0, write: 0 });
  }

  /** Sends what is late. */
  async end(): Promise<void> {
    for (const { send } of this.#late.splice(0)) await send();
  }

  async meet(passing: Passing): Promise<void> {
    const due = this.#late.filter((late) => (late.countdown -= 1) < 0);
    this.#late = this.#late.filter((late) => !due.includes(late));
    for (const { send } of due) await send();
    const isOvertaken = this.#planned.faults.some(
      ({ at, what }) => what === OTHER_DEPLOYS && at < this.#counts.write,
    );
    if (isOvertaken && !this.#isOvertaken) await this.#parts.deploy();
    this.#isOvertaken = isOvertaken;
    await this.#parts.meet?.(passing);
  }

  async at(passing: Passing, moment: "before" | "after"): Promise<Fault | undefined> {
    const isOfWrites = isWrite(passing.method, passing.path);
    if (moment === "before") {
      this.#counts.request += 1;
      if (isOfWrites) this.#counts.write += 1;
    }
    const met = this.#planned.faults.filter(
      ({ at, of }) => (of === "request" || isOfWrites) && this.#counts[of] - 1 === at,
    );
    let fault: Fault | undefined;
    for (const planned of met) fault ??= await this.#faultOf(planned, passing, moment);
    if (moment === "before") fault ??= this.#lastingFault(passing);
    if (fault !== undefined && fault !== "kill") {
      this.#parts.note(`    ${fault}: ${passing.method} ${passing.path}`);
      this.#parts.onFault(passing);
    }
    return fault;
  }

  async #faultOf(
    { what, of, isAfter = false }: PlannedFault,
    passing: Passing,
    moment: "before" | "after",
  ): Promise<Fault | undefined> {
    const interruption = INTERRUPTIONS.find((name) => name === what);
    if (interruption && isAfter === (moment === "after")) {
      this.#parts.note(`    ${what} ${moment} ${passing.method} ${passing.path}`);
      await this.#parts.onInterruption(interruption);
      return /provider|both|platform/.test(what) ? "kill" : undefined;
    }
    const lasting = LASTING.find((name) => name === what);
    if (lasting !== undefined && (of === "request" || moment === "after")) this.#lasting = lasting;
    // The fates of both moments are decided before.
    if (moment === "after") return undefined;
    const fate = FAULTS.find((name) => name === what);
    if (fate === "stale" && !this.replicas.staleAnswer(passing)) return undefined;
    if (fate === "old response" && !this.replicas.formerAnswer(passing)) return undefined;
    if (fate === "not found yet" && !this.replicas.mayBeMissing(passing)) return undefined;
    return fate === "late" && !isWrite(passing.method, passing.path) ? "lost before" : fate;
  }

  #lastingFault(passing: Passing): Fault | undefined {
    if (this.#lasting === "key expired") return "401";
    if (this.#lasting === "service away") return "lost before";
    if (this.#lasting === "replicas lag") return this.replicas.laggingFault(passing);
    return this.#parts.conditionFault(passing);
  }

  remember(passing: Passing, answer: Answer): void {
    this.replicas.remember(passing, answer);
    this.#parts.learn(passing, answer, { asked: this.#parts.asked(), isLate: false });
  }

  delay(passing: Passing, send: () => Promise<Answer>): void {
    const asked = this.#parts.asked();
    const late = async (): Promise<void> => {
      const answer = await send();
      this.lateWrites += 1;
      this.#parts.note(`    arrives now: ${passing.method} ${passing.path}, ${answer.status}`);
      this.replicas.remember(passing, answer);
      this.#parts.learn(passing, answer, { asked, isLate: true });
    };
    this.#late.push({ countdown: OVERTAKING, send: late });
  }
}
