import type { Time } from "../../../../shared/clock";
import { ServerUnavailable, type DeployWork, type Revision } from "../../driver";
import { removeFolder } from "../folders";
import { checkStart, handOver } from "./handover";
import { ManagedServer } from "./managed-server";
import { RequestGate, traffic } from "./requests";
import { launch, type Launcher, type Server } from "./server";

export interface SupervisorOptions {
  readonly launcher: Launcher;
  readonly clock: Time;
  /** The longest time for running requests to finish before their server is ended. */
  readonly drainSeconds: number;
  /**
   * Resolves when the deployment may have a running server: it holds a slot for as long as `needsSlot` says. Throws the
   * signal's reason when that is aborted.
   */
  readonly acquireSlot: (supervisor: Supervisor, signal: AbortSignal) => Promise<void>;
}

/** The servers of one deployment: that of its current revision, and its replacement by the next revision's. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #gate: RequestGate;
  readonly #closing = new AbortController();
  readonly #retiring = new Set<Promise<void>>();
  #current: ManagedServer | undefined;
  #isDeploying = false;

  /** `revision` is started at the first request; without one, nothing can be started before the first deploy. */
  constructor(options: SupervisorOptions, revision?: Revision) {
    this.#options = options;
    this.#gate = new RequestGate(options.clock);
    if (revision) this.#promote(revision);
  }

  get needsSlot(): boolean {
    return this.#isDeploying || this.#current?.isActive === true;
  }

  /** Whether its server can be stopped to free the slot. */
  get isStoppable(): boolean {
    return this.#current?.server !== undefined && !this.#isDeploying;
  }

  get isBusy(): boolean {
    const server = this.#current?.server;
    return server !== undefined && traffic.count(server.origin) > 0;
  }

  get usedMs(): number {
    return this.#current?.usedMs ?? 0;
  }

  get status(): ManagedServer["status"] | undefined {
    return this.#current?.status;
  }

  origin(): Promise<string> {
    return this.#gate.wait(() => this.#origin());
  }

  /** Replaces the server by that of a new revision; on failure the old one keeps serving. */
  async deploy(given: DeployWork): Promise<void> {
    const work = { ...given, signal: AbortSignal.any([given.signal, this.#closing.signal]) };
    this.#isDeploying = true;
    try {
      if (!this.#current?.server) await this.#options.acquireSlot(this, work.signal);
      await this.#rollOver(work);
    } finally {
      this.#isDeploying = false;
    }
  }

  /** Drains and stops its server; the next request starts it again. */
  async stop(): Promise<void> {
    await this.#gate.hold(async () => {
      const current = this.#current;
      if (current?.server) await this.#drain(current.server);
      await current?.stop();
    });
  }

  /** Ends all of its servers and aborts their requests. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#current) this.#retire(this.#current);
    await Promise.all(this.#retiring);
  }

  async #origin(): Promise<string> {
    const current = this.#current;
    if (!current) throw new ServerUnavailable("no revision of this deployment is deployed yet");
    try {
      return await current.origin();
    } catch (error) {
      if (current === this.#current) throw error;
      return this.#origin(); // another revision was promoted meanwhile
    }
  }

  async #rollOver(work: DeployWork): Promise<void> {
    const { launcher, drainSeconds: limitSeconds } = this.#options;
    const { revision, log } = work;
    const old = this.#current;
    // Without the previous revision's files its threads are lost too. Only a new revision can fix that.
    const from = old && (await launcher.stateFolder(old.revision).catch(() => undefined));
    const to = await launcher.stateFolder(revision);
    const start = () => launch(launcher, work);
    const promote = (server: Server) => this.#activate(work, server);
    if (old && from && to && from.format === to.format) {
      const handover = { ...work, old, from: from.path, to: to.path, start, promote, limitSeconds };
      await checkStart(handover);
      await this.#gate.hold(() => handOver(handover));
      return;
    }
    if (to) await removeFolder(to.path);
    if (old && from?.format !== to?.format) log(NOT_CARRIED_OVER);
    await promote(await start());
    if (old) this.#retire(old, log);
  }

  async #activate({ revision, activate }: DeployWork, server: Server): Promise<void> {
    try {
      activate?.();
    } catch (error) {
      await server.end();
      throw error;
    }
    this.#promote(revision, server);
  }

  #promote(revision: Revision, server?: Server): void {
    const acquireSlot = (signal: AbortSignal) => this.#options.acquireSlot(this, signal);
    this.#current = new ManagedServer({ ...this.#options, acquireSlot }, revision, server);
  }

  /** Ends a server that gets no new requests, in the background until the close. */
  #retire(managed: ManagedServer, log?: DeployWork["log"]): void {
    const { server } = managed;
    const end = async () => {
      await Promise.all([managed.close(), server && this.#drain(server, log)]);
      await server?.end();
    };
    const retiring = end().finally(() => this.#retiring.delete(retiring));
    this.#retiring.add(retiring);
  }

  /** The close aborts requests instead of waiting for them. */
  async #drain({ origin }: Server, log?: DeployWork["log"]): Promise<void> {
    const drain = { limitSeconds: this.#options.drainSeconds, signal: this.#closing.signal, log };
    await traffic.drain(origin, drain).catch(() => traffic.abort(origin));
  }
}

const NOT_CARRIED_OVER =
  "threads are not carried over: the previous revision stored them in another format, or they are missing";
