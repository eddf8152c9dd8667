import {
  type Command,
  type Fault,
  FAULTS,
  INTERRUPTIONS,
  type Interruption,
  LASTING,
  OTHER_DEPLOYS,
  type PlannedFault,
} from "./history";
import type { Answer, Ending, Handler, Passing } from "./proxy";
import { isWrite } from "./requests";
import type { Scenario } from "./trial";

/** Number of requests that overtake a late one. */
const OVERTAKING = 3;

/** A stack, as the faults of its commands need it. */
interface Injected {
  /** Called first, as each request comes. */
  readonly meet: (passing: Passing) => Promise<void>;
  readonly interrupt: (what: Interruption) => Promise<void>;
  /** Another client creates a revision. */
  readonly beOvertaken: () => Promise<void>;
  /** Called with each request that meets a fault. */
  readonly onFault: (passing: Passing) => void;
  /** The resource that the engine asks about. */
  readonly asked: () => string | undefined;
  /** Called with each answer, whether it arrives or not: the resource that was asked about, and whether its client has given it up. */
  readonly learn: (
    passing: Passing,
    answer: Answer,
    asked: string | undefined,
    isLate: boolean,
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
type Moment = "before" | "after";

/** What becomes of the requests of one stack's commands; every request that meets a fault stands in the history. */
export class FaultInjector {
  readonly #scenario: Scenario;
  readonly #stack: Injected;
  #planned: Planned = { faults: [] };
  readonly #counts = { request: 0, write: 0 };
  #lasting: (typeof LASTING)[number] | undefined;
  /** Whether another client has created a revision. */
  #isOvertaken = false;
  #late: { countdown: number; readonly send: () => Promise<void> }[] = [];
  /** Number of late writes that were sent, each perhaps once more than its client wanted. */
  lateWrites = 0;

  constructor(scenario: Scenario, stack: Injected) {
    this.#scenario = scenario;
    this.#stack = stack;
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

  readonly handle: Handler = async (passing, reach) => {
    await this.#meet(passing);
    this.#counts.request += 1;
    if (isWrite(passing)) this.#counts.write += 1;
    const { replicas, serving } = this.#scenario;
    // Others may come before this one is answered.
    const planned = this.#planned.faults.filter(
      ({ at, of }) => (of === "request" || isWrite(passing)) && this.#counts[of] - 1 === at,
    );
    const before = await this.#faultAt(planned, passing, "before");
    if (before === "late") this.#delay(passing, reach);
    const early = before && endBefore(before, passing);
    if (early !== undefined) return early;
    const former = before === "old response" ? replicas.formerAnswer(passing) : undefined;
    const stale = before === "stale" ? replicas.staleAnswer(passing) : undefined;
    const answer = stale ?? (await reach());
    if (stale === undefined) this.#learn(passing, answer, this.#stack.asked(), false);
    // What lasts begins after this one, whatever became of it.
    const after = await this.#faultAt(planned, passing, "after");
    const fault = before ?? after;
    const older = fault === "old list" ? replicas.withoutRecent(answer) : former;
    return (fault && endAfter(fault, answer)) ?? serving.shown(passing, older ?? answer);
  };

  async #meet(passing: Passing): Promise<void> {
    const due = this.#late.filter((late) => (late.countdown -= 1) < 0);
    this.#late = this.#late.filter((late) => !due.includes(late));
    for (const { send } of due) await send();
    const isOvertaken = this.#planned.faults.some(
      ({ at, what }) => what === OTHER_DEPLOYS && at < this.#counts.write,
    );
    const isNews = isOvertaken && !this.#isOvertaken;
    // Requests that run at once meet one other client, not one each.
    this.#isOvertaken = isOvertaken;
    if (isNews) await this.#stack.beOvertaken();
    await this.#stack.meet(passing);
  }

  async #faultAt(
    planned: readonly PlannedFault[],
    passing: Passing,
    moment: Moment,
  ): Promise<Fault | undefined> {
    let fault: Fault | undefined;
    for (const one of planned) fault ??= await this.#faultOf(one, passing, moment);
    if (moment === "before") fault ??= this.#lastingFault(passing);
    if (fault !== undefined && fault !== "kill") {
      this.#scenario.note(`    ${fault}: ${passing.method} ${passing.path}`);
      this.#stack.onFault(passing);
    }
    return fault;
  }

  async #faultOf(
    { what, of, isAfter = false }: PlannedFault,
    passing: Passing,
    moment: Moment,
  ): Promise<Fault | undefined> {
    const interruption = INTERRUPTIONS.find((name) => name === what);
    if (interruption && isAfter === (moment === "after")) {
      this.#scenario.note(`    ${what} ${moment} ${passing.method} ${passing.path}`);
      await this.#stack.interrupt(interruption);
      return /provider|both|platform/.test(what) ? "kill" : undefined;
    }
    const lasting = LASTING.find((name) => name === what);
    if (lasting !== undefined && (of === "request" || moment === "after")) this.#lasting = lasting;
    // The fates of both moments are decided before.
    if (moment === "after") return undefined;
    const { replicas } = this.#scenario;
    const fate = FAULTS.find((name) => name === what);
    if (fate === "stale" && !replicas.staleAnswer(passing)) return undefined;
    if (fate === "old response" && !replicas.formerAnswer(passing)) return undefined;
    if (fate === "not found yet" && !replicas.mayBeMissing(passing)) return undefined;
    return fate === "late" && !isWrite(passing) ? "lost before" : fate;
  }

  #lastingFault(passing: Passing): Fault | undefined {
    if (this.#lasting === "key expired") return "401";
    if (this.#lasting === "service away") return "lost before";
    if (this.#lasting === "gateway empty") return "404";
    if (this.#lasting === "replicas lag") return this.#scenario.replicas.laggingFault(passing);
    return this.#scenario.conditionFault(passing);
  }

  #learn(passing: Passing, answer: Answer, asked: string | undefined, isLate: boolean): void {
    this.#scenario.replicas.remember(passing, answer);
    this.#stack.learn(passing, answer, asked, isLate);
  }

  #delay(passing: Passing, reach: () => Promise<Answer>): void {
    const asked = this.#stack.asked();
    const send = async (): Promise<void> => {
      const answer = await reach();
      this.lateWrites += 1;
      const { method, path } = passing;
      this.#scenario.note(`    arrives now: ${method} ${path}, ${answer.status}`);
      this.#learn(passing, answer, asked, true);
    };
    this.#late.push({ countdown: OVERTAKING, send });
  }
}

/** Errors of the server, with the seconds after which it may be asked again. */
const REFUSALS: Partial<Record<Fault, readonly [status: number, words: string, seconds?: number]>> =
  {
    "401": [401, "API key has expired"],
    "not found yet": [404, "not found"],
    refused: [422, "can't process"],
    "429": [429, "too many requests", 1],
    "500": [500, "internal error"],
    "503": [503, "unavailable", 1],
  };
const BAD_GATEWAY = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";

/** The end of a request that does not reach the server; undefined where it does. */
export function endBefore(fault: Fault, { body }: Pick<Passing, "body">): Ending | undefined {
  const [status, words, seconds] = REFUSALS[fault] ?? [];
  if (status !== undefined) {
    const detail = `${words} ${body.toString()}`.trim();
    const headers = seconds === undefined ? {} : { "retry-after": String(seconds) };
    return { status, headers, body: Buffer.from(JSON.stringify({ detail })) };
  }
  if (fault === "page") return page(200, "<!doctype html><title>Sign in</title>");
  if (fault === "404") return page(404, "default backend - 404");
  if (fault === "502 before") return page(502, BAD_GATEWAY);
  if (fault === "reset") return "reset";
  return ["kill", "late", "lost before"].includes(fault) ? "closed" : undefined;
}

/** The end of a request whose answer is lost, or another one. */
function endAfter(fault: Fault, answer: Answer): Ending | undefined {
  if (fault === "502 after") return page(502, BAD_GATEWAY);
  if (fault === "kill" || fault === "lost after") return "closed";
  if (fault === "cut off") return { cutOff: answer };
  const half = answer.body.subarray(0, answer.body.length / 2);
  return fault === "half a body" ? { ...answer, headers: {}, body: half } : undefined;
}

/** A gateway's own. */
function page(status: number, text: string): Answer {
  return { status, headers: { "content-type": "text/html" }, body: Buffer.from(text) };
}
