import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { DeployWork, Revision, ServerStatus } from "../../driver";
import { memoryOfGroups } from "../keeper/memory";
import { Supervisor, type SupervisorOptions } from "./supervisor";

export interface ServerPoolOptions extends Omit<SupervisorOptions, "acquireSlot"> {
  /** Most deployments with a running server; the second server during a roll-over is not counted. */
  readonly maxServers: number;
}

const POLL_MS = 20;

/** The servers of all deployments. A deployment with a running server holds one of `maxServers` slots. */
export class ServerPool {
  readonly #options: ServerPoolOptions;
  readonly #supervisors = new Map<string, Supervisor>();
  readonly #holders = new Set<Supervisor>();
  #lastAcquisition: Promise<void> = Promise.resolve();

  constructor(options: ServerPoolOptions) {
    this.#options = options;
  }

  restore(revision: Revision): void {
    this.#supervisors.set(revision.deploymentId, this.#supervise(revision));
  }

  async origin(deploymentId: string): Promise<string> {
    return (this.#supervisors.get(deploymentId) ?? this.#supervise()).origin();
  }

  async status(deploymentIds: readonly string[]): Promise<ReadonlyMap<string, ServerStatus>> {
    const servers = deploymentIds.flatMap((id) => {
      const status = this.#supervisors.get(id)?.status;
      return status ? [{ id, ...status }] : [];
    });
    const isRunning = servers.some(({ processGroup }) => processGroup !== undefined);
    const memory = isRunning ? await memoryOfGroups() : undefined;
    const statuses = servers.map(({ id, processGroup, ...status }) => {
      return [id, { ...status, memoryBytes: memory?.get(processGroup ?? -1) }] as const;
    });
    return new Map(statuses);
  }

  async deploy(work: DeployWork): Promise<void> {
    const { deploymentId } = work.revision;
    const supervisor = this.#supervisors.get(deploymentId) ?? this.#supervise();
    this.#supervisors.set(deploymentId, supervisor);
    await supervisor.deploy(work);
  }

  async remove(deploymentId: string): Promise<void> {
    await this.#supervisors.get(deploymentId)?.close();
    this.#supervisors.delete(deploymentId);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#supervisors.values()].map((supervisor) => supervisor.close()));
  }

  #supervise(revision?: Revision): Supervisor {
    const acquireSlot: SupervisorOptions["acquireSlot"] = (...asked) => this.#acquireSlot(...asked);
    return new Supervisor({ ...this.#options, acquireSlot }, revision);
  }

  /**
   * Acquisitions follow one another, so that no two count on the same slot. A holder does not queue: those before it
   * may be waiting for its slot.
   */
  async #acquireSlot(supervisor: Supervisor, signal: AbortSignal): Promise<void> {
    if (!supervisor.needsSlot) this.#holders.delete(supervisor); // its server has stopped meanwhile
    if (this.#holders.has(supervisor)) return;
    signal.throwIfAborted();
    const acquisition = this.#lastAcquisition.then(() => this.#freeSlot(supervisor, signal));
    this.#lastAcquisition = acquisition.catch(() => {});
    const ended = new AbortController();
    const aborted = once(signal, "abort", { signal: ended.signal });
    await Promise.race([acquisition, aborted.then(() => signal.throwIfAborted())]).finally(() =>
      ended.abort(),
    );
  }

  /** Stops idle servers, the least recently used first, until there is a slot. */
  async #freeSlot(supervisor: Supervisor, signal: AbortSignal): Promise<void> {
    const holders = this.#holders;
    for (;;) {
      signal.throwIfAborted();
      for (const holder of holders) if (!holder.needsSlot) holders.delete(holder);
      if (holders.has(supervisor) || holders.size < this.#options.maxServers) break;
      const idlest = [...holders]
        .filter((holder) => holder.isStoppable)
        .toSorted((a, b) => Number(a.isBusy) - Number(b.isBusy) || a.usedMs - b.usedMs)[0];
      await (idlest ? idlest.stop() : sleep(POLL_MS));
    }
    holders.add(supervisor);
  }
}
