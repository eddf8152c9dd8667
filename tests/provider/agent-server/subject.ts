import { assistantLifecycle } from "../../../provider/assistant/operations";
import { cronLifecycle } from "../../../provider/cron/operations";
import type { Lifecycle } from "../../../provider/resource/lifecycle";
import type { Props } from "../../../provider/arguments/props";
import { showAnnouncement } from "../../../provider/resource/announcement";
import { problemText } from "../../../provider/arguments/problems";
import type { Context } from "../../../provider/resource/context";
import { AgentServer } from "../../../sdk";
import { impatientClock } from "../../support/clock";
import { contextOf } from "../../support/lifecycle";
import { json, type TestServer } from "../../support/http";
import { later } from "../../support/later";
import { type Meddle, startRelay } from "../../support/relay";

/** Settings that lead nowhere: what is on an agent server needs no control plane. */
const NOWHERE = { url: "http://control.example.com", apiKey: "key", workspaceId: "nobody" };

/** A kind of resource on agent servers. */
interface Kind {
  readonly lifecycle: Lifecycle;
  /** The name of its type. */
  readonly type: string;
  /** The arguments that each has. */
  readonly given: Props;
  /** The name that a test's resource has. */
  readonly name: string;
}

/** Requests to lose, by method; those that the server has carried out, or those that it never got. */
type Lost = "before" | "after";

/** A resource on an agent server, for each test of the `describe`. */
export function useSubject<Subject extends ServerSubject>(make: () => Subject): Subject {
  let subject: Subject | undefined;
  beforeEach(async () => {
    subject = make();
    await subject.start();
  });
  afterEach(() => subject?.close());
  return later(() => subject);
}

/** The life of one resource on an agent server, through the checks that the engine makes. */
class ServerSubject {
  readonly #kind: Kind;
  readonly #target: () => string;
  /** All its contexts are those of one provider process, which has no other resource. */
  readonly #settings = { ...NOWHERE };
  #relay: TestServer | undefined;
  #losing: { request: string; when: Lost; times: number } | undefined;
  /** The messages of all verbs. */
  readonly said: string[] = [];
  /** The requests, such as `PATCH`, without those about graphs. */
  readonly requests: string[] = [];
  /** Answers in the place of the server's, by request. */
  readonly answers: Record<string, (body: string) => readonly [status: number, body: unknown]> = {};

  constructor(kind: Kind, target: () => string) {
    this.#kind = kind;
    this.#target = target;
  }

  async start(): Promise<void> {
    const meddle: Meddle = async ({ method, url, body }, response, pass) => {
      const request = `${method} ${url.replace(/[0-9a-f-]{36}/, "…")}`;
      if (!url.endsWith("/graph")) this.requests.push(request);
      const answer = this.answers[request];
      if (answer !== undefined) return json(response, ...answer(body));
      const lost = this.#losing;
      if (lost === undefined || ![method, request].includes(lost.request)) return pass();
      if (lost.times-- <= 0) return pass();
      if (lost.when === "before") return response.destroy();
      const headers = { "content-type": "application/json" };
      await fetch(`${this.#target()}${url}`, { method, headers, ...(body !== "" && { body }) });
      return response.destroy();
    };
    this.#relay = await startRelay(this.#target(), meddle);
  }

  async close(): Promise<void> {
    await this.#relay?.close();
  }

  get url(): string {
    return this.#relay?.url ?? "";
  }

  get client(): AgentServer {
    return new AgentServer({ url: this.#target() });
  }

  /** Loses the next ones of a method, or of a request such as `POST /assistants`. */
  lose(request: string, when: Lost, times = 1): void {
    this.#losing = { request, when, times };
  }

  context(name = this.#kind.name): Context {
    const urn = `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:${this.#kind.type}::${name}`;
    return { ...contextOf(this.#settings, this.said), clock: impatientClock(), urn };
  }

  /** The inputs as the engine stores them; throws what the check reports. */
  async checked(args: Props, olds: Props = {}, context = this.context()): Promise<Props> {
    const all = { deploymentUrl: this.url, ...this.#kind.given, ...args };
    const { inputs, failures } = await this.#kind.lifecycle.check(olds, all, context);
    if (failures?.length) throw new Error(failures.map(problemText).join("; "));
    return inputs ?? all;
  }

  async create(args: Props = {}, context = this.context()) {
    const inputs = await this.checked(args, {}, context);
    showAnnouncement(context);
    return { ...(await this.#kind.lifecycle.create(inputs, context)), inputs };
  }

  async update(
    made: { id: string; outs: Props; inputs: Props },
    args: Props,
    context = this.context(),
  ) {
    const inputs = await this.checked(args, made.inputs, context);
    const diff = this.#kind.lifecycle.diff(made.id, made.outs, inputs, context);
    showAnnouncement(context);
    if (diff.replaces?.length) throw new Error(`replaces ${diff.replaces.join()}`);
    const { outs } = await this.#kind.lifecycle.update(made.id, made.outs, inputs, context);
    return { id: made.id, outs, inputs, diff };
  }

  read(made: { id: string; outs: Props }) {
    return this.#kind.lifecycle.read(made.id, made.outs, this.context());
  }

  delete(made: { id: string; outs: Props }) {
    return this.#kind.lifecycle.delete(made.id, made.outs, this.context());
  }
}

/** The life of one assistant on a server. */
export class AssistantSubject extends ServerSubject {
  constructor(target: () => string) {
    const kind = { lifecycle: assistantLifecycle, type: "Assistant", name: "support-de" };
    super({ ...kind, given: { graphId: "agent" } }, target);
  }

  get(id: string) {
    return this.client.assistants.get(id);
  }
}

/** The life of one cron on a server. */
export class CronSubject extends ServerSubject {
  constructor(target: () => string) {
    const given = { graphId: "agent", schedule: "0 9 * * 1-5" };
    super({ lifecycle: cronLifecycle, type: "Cron", name: "digest", given }, target);
  }

  /** A create of inputs that no preview has seen. */
  createUnchecked(inputs: Props) {
    return cronLifecycle.create(inputs, this.context());
  }

  /** The crons that the server has with a member of metadata. */
  all(metadata: Readonly<Record<string, unknown>> = {}) {
    return Array.fromAsync(this.client.crons.searchAll({ metadata }));
  }
}
