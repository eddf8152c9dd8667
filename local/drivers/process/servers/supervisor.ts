import type { Time } from "../../../../shared/clock";
import { ServerUnavailable, type DeployWork, type Revision } from "../../driver";
import { handOver, removeState, tryOut } from "./handover";
import { launch, type Launcher } from "./launcher";
import { RequestGate } from "./request-gate";
import type { Server } from "./server";
import { ManagedServer } from "./managed-server";
import { traffic } from "./traffic";

/** What a deployment's supervisor works with. */
export interface SupervisorParts {
  readonly launcher: Launcher;
  /** Resolves when it may have a server; after that it is counted until `releaseSlot`. */
  readonly acquireSlot: (supervisor: Supervisor) => Promise<void>;
  readonly releaseSlot: (supervisor: Supervisor) => void;
  readonly clock: Time;
  /** How long running requests may take to finish before their server is asked to end. */
  readonly drainSeconds: number;
}

/** Keeps a server for one deployment, and lets that of the next revision take over. */
export class Supervisor {
  readonly #parts: SupervisorParts;
  readonly #queue: RequestGate;
  readonly #closing = new AbortController();
  readonly #retiring = new Set<Promise<void>>();
  /** Of the revision that serves. */
  #tenure: ManagedServer | undefined;
  #deploying = false;

  /** `revision` is started at the first request; without one there is nothing to start until the first deploy. */
  constructor(parts: SupervisorParts, revision?: Revision) {
    this.#parts = parts;
    this.#queue = new RequestGate(parts.clock);
    if (revision) this.#promote(revision);
  }

  /** Whether its server can be stopped for another one's. */
  get isStoppable(): boolean {
    return this.#tenure?.server !== undefined && !this.#deploying;
  }

  /** Whether a request is running on its server. */
  get isBusy(): boolean {
    const server = this.#tenure?.server;
    return server !== undefined && traffic.count(server.origin) > 0;
  }

  /** When its server was started or asked for last, in milliseconds since 1970. */
  get usedMs(): number {
    return this.#tenure?.usedMs ?? 0;
  }

  /** Where its server answers; starts it when it does not run. Throws `ServerUnavailable`. */
  origin(): Promise<string> {
    return this.#queue.wait(() => this.#origin());
  }

  /** Lets the server of a new revision take over; on failure the one before serves on. */
  async deploy(given: DeployWork): Promise<void> {
    const work = { ...given, signal: AbortSignal.any([given.signal, this.#closing.signal]) };
    this.#deploying = true;
    try {
      if (!this.#tenure?.server) await this.#parts.acquireSlot(this);
      await this.#rollOver(work);
    } finally {
      this.#deploying = false;
      this.#giveUpUnusedRoom();
    }
  }

  /** Stops its server once the requests that run there have finished; the next request starts it again. */
  async stop(): Promise<void> {
    await this.#queue.hold(async () => {
      const tenure = this.#tenure;
      if (tenure?.server) await this.#drain(tenure.server);
      await tenure?.stop();
    });
  }

  /** Ends all of its servers, whatever runs there. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#tenure) this.#retire(this.#tenure);
    await Promise.all(this.#retiring);
  }

  async #origin(): Promise<string> {
    const tenure = this.#tenure;
    if (!tenure) throw new ServerUnavailable("no revision of this deployment runs yet");
    try {
      return await tenure.origin();
    } catch (error) {
      if (tenure === this.#tenure) throw error;
      return this.#origin(); // another revision has taken over
    }
  }

  async #rollOver(work: DeployWork): Promise<void> {
    const { launcher, drainSeconds: limitSeconds } = this.#parts;
    const { revision, log } = work;
    const old = this.#tenure;
    // Without the files of the revision before, its threads are gone too; a new revision is what heals that.
    const from = old && (await launcher.stateFolder(old.revision).catch(() => undefined));
    const to = await launcher.stateFolder(revision);
    const start = () => launch(launcher, work);
    const promote = (server: Server) => this.#takeOver(work, server);
    if (old && from && to && from.format === to.format) {
      const handover = { ...work, old, from: from.path, to: to.path, start, promote, limitSeconds };
      await tryOut(handover);
      await this.#queue.hold(() => handOver(handover));
      return;
    }
    if (to) await removeState(to.path);
    if (old && from?.format !== to?.format) log(NOT_CARRIED_OVER);
    await promote(await start());
    if (old) this.#retire(old, log);
  }

  async #takeOver({ revision, takesOver }: DeployWork, server: Server): Promise<void> {
    try {
      takesOver?.();
    } catch (error) {
      await server.end();
      throw error;
    }
    this.#promote(revision, server);
  }

  #promote(revision: Revision, server?: Server): void {
    const acquireSlot = () => this.#parts.acquireSlot(this);
    const changed = () => this.#giveUpUnusedRoom();
    this.#tenure = new ManagedServer({ ...this.#parts, acquireSlot, changed }, revision, server);
  }

  /** Ends a tenure that nobody comes to any more; it is waited for at the close. */
  #retire(tenure: ManagedServer, log?: DeployWork["log"]): void {
    const { server } = tenure;
    const ending = async () => {
      await Promise.all([tenure.close(), server && this.#drain(server, log)]);
      await server?.end();
    };
    const retiring = ending().finally(() => this.#retiring.delete(retiring));
    this.#retiring.add(retiring);
  }

  /** At the close, requests are broken off at once. */
  async #drain({ origin }: Server, log?: DeployWork["log"]): Promise<void> {
    const drain = { limitSeconds: this.#parts.drainSeconds, signal: this.#closing.signal, log };
    await traffic.drain(origin, drain).catch(() => traffic.breakOff(origin));
  }

  #giveUpUnusedRoom(): void {
    if (!this.#deploying && !this.#tenure?.isActive) this.#parts.releaseSlot(this);
  }
}

const NOT_CARRIED_OVER =
  "threads are not carried over: those of the revision before are in another form, or gone";
