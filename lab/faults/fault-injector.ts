import {
  type Command,
  KILLS,
  LASTING,
  OTHER_DEPLOYS,
  PAGES_SHIFT,
  type PlannedFault,
} from "./history";
import type { Conditions, ConditionFault } from "./conditions";
import type { Replicas } from "./replicas";
import { isWrite } from "./requests";
import { type Answer, type Fault, FAULTS, type Passing, type FaultInjector } from "./proxy";

/** Number of requests that overtake a late one. */
const OVERTAKING = 3;

/** The process that a kill ends: with `engine` the provider lives on and does its work to the end. */
export type Victim = "provider" | "engine" | "both";

/** The origin of a request: the resource that was asked about, and whether its client has given it up. */
interface Origin {
  readonly asked: string | undefined;
  readonly isLate: boolean;
}

interface InjectorParts {
  readonly replicas: Replicas;
  readonly conditions: Conditions;
  readonly conditionFault: ConditionFault;
  readonly onKill: (victim: Victim) => void;
  readonly note: (line: string) => void;
  readonly meet: FaultInjector["meet"];
  /** Deletes one of the others that fill the pages. */
  readonly shift: () => Promise<unknown>;
  readonly shown: FaultInjector["shown"];
  /** Has another client create a revision. */
  readonly deploy: () => Promise<unknown>;
  /** Called with each request that meets a fault. */
  readonly onFault: (passing: Passing) => void;
  /** The resource that the engine asks about. */
  readonly asked: () => string | undefined;
  /** Called with each answer, whether it arrives or not. */
  readonly learn: (passing: Passing, answer: Answer, origin: Origin) => void;
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

function isMisleading(fault: string): boolean {
  return MISLEADING.includes(fault);
}

type Planned = Pick<Command, "faults" | "hidesState">;

/** The injector of one stack's commands; every request that meets a fault stands in the history. */
export class PlannedFaults implements FaultInjector {
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
  }

  /** Whether a response of this command may not be that of the service as it is. */
  get isMisled(): boolean {
    return (
      this.#parts.conditions.isLate === true ||
      this.#planned.faults.some(({ what }) => isMisleading(what))
    );
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
    const waiting = this.#late;
    this.#late = [];
    for (const late of waiting)
      if ((late.countdown -= 1) < 0) await late.send();
      else this.#late.push(late);
    const next = this.#counts.request;
    const isShifted = this.#planned.faults.some(
      ({ at, what }) => what === PAGES_SHIFT && at === next,
    );
    if (isShifted) await this.#parts.shift();
    const isOvertaken = this.#planned.faults.some(
      ({ at, what }) => what === OTHER_DEPLOYS && at < this.#counts.write,
    );
    if (isOvertaken && !this.#isOvertaken) await this.#parts.deploy();
    this.#isOvertaken = isOvertaken;
    await this.#parts.meet(passing);
  }

  at(passing: Passing, moment: "before" | "after"): Fault | undefined {
    if (moment === "before") {
      this.#counts.request += 1;
      if (isWrite(passing.method, passing.path)) this.#counts.write += 1;
    }
    const found = this.#planned.faults.flatMap((fault) =>
      this.#isMet(fault, passing) ? (this.#faultOf(fault, passing, moment) ?? []) : [],
    );
    const [fault] = [...found, ...(moment === "before" ? this.#lastingFault(passing) : [])];
    if (fault !== undefined && fault !== "kill") {
      this.#parts.note(`    ${fault}: ${passing.method} ${passing.path}`);
      this.#parts.onFault(passing);
    }
    return fault;
  }

  #isMet({ at, of }: PlannedFault, passing: Passing): boolean {
    return (
      (of === "request" || isWrite(passing.method, passing.path)) && this.#counts[of] - 1 === at
    );
  }

  #faultOf({ what, of }: PlannedFault, passing: Passing, moment: string): Fault | undefined {
    const kill = KILLS.find((name) => name === what);
    if (kill !== undefined) return kill.endsWith(moment) ? this.#kill(kill, passing) : undefined;
    const lasting = LASTING.find((name) => name === what);
    if (lasting !== undefined && (of === "request" || moment === "after")) this.#lasting = lasting;
    // The fates of both moments are decided before.
    if (moment === "after") return undefined;
    const fate = FAULTS.find((name) => name === what);
    const { replicas } = this.#parts;
    if (fate === "stale" && replicas.staleAnswer(passing) === undefined) return undefined;
    if (fate === "old response" && replicas.formerAnswer(passing) === undefined) return undefined;
    if (fate === "not found yet" && !replicas.mayBeMissing(passing)) return undefined;
    return fate === "late" && !isWrite(passing.method, passing.path) ? "lost before" : fate;
  }

  #kill(kill: (typeof KILLS)[number], { method, path }: Passing): Fault | undefined {
    const victim = kill.startsWith("both")
      ? "both"
      : kill.startsWith("engine")
        ? "engine"
        : "provider";
    this.#parts.note(`    ${kill} ${method} ${path}`);
    this.#parts.onKill(victim);
    return victim === "engine" ? undefined : "kill";
  }

  #lastingFault(passing: Passing): Fault[] {
    switch (this.#lasting) {
      case "key expired":
        return ["401"];
      case "service away":
        return ["lost before"];
      case "replicas lag":
        return this.#parts.replicas.laggingFault(passing);
      default:
        return [this.#parts.conditionFault(passing) ?? []].flat();
    }
  }

  remember(passing: Passing, answer: Answer): void {
    this.#parts.replicas.remember(passing, answer);
    this.#parts.learn(passing, answer, { asked: this.#parts.asked(), isLate: false });
  }

  staleAnswer(passing: Passing): Answer | undefined {
    return this.#parts.replicas.staleAnswer(passing);
  }

  formerAnswer(passing: Passing): Answer | undefined {
    return this.#parts.replicas.formerAnswer(passing);
  }

  isRecent(createdAt: string): boolean {
    return this.#parts.replicas.isRecent(createdAt);
  }

  shown(passing: Passing, answer: Answer): Answer {
    return this.#parts.shown?.(passing, answer) ?? answer;
  }

  delay(passing: Passing, send: () => Promise<Answer>): void {
    const asked = this.#parts.asked();
    const late = async (): Promise<void> => {
      const answer = await send();
      this.lateWrites += 1;
      this.#parts.note(`    arrives now: ${passing.method} ${passing.path}, ${answer.status}`);
      this.#parts.replicas.remember(passing, answer);
      this.#parts.learn(passing, answer, { asked, isLate: true });
    };
    this.#late.push({ countdown: OVERTAKING, send: late });
  }
}
