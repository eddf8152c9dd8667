import { setTimeout as sleep } from "node:timers/promises";
import type { Time } from "../../../../shared/clock";
import { ServerUnavailable, type DeployWork, type Revision } from "../../driver";
import type { Launcher } from "./launcher";
import { Supervisor } from "./supervisor";

/** What a fleet works with. */
export interface FleetParts {
  readonly launcher: Launcher;
  readonly clock: Time;
  readonly drainSeconds: number;
  /** So many deployments have a server at a time; the second one during a roll-over is not counted. */
  readonly maxServers: number;
}

const POLL_MS = 20;

/** The servers of all deployments. */
export class ServerPool {
  readonly #parts: FleetParts;
  readonly #supervisors = new Map<string, Supervisor>();
  readonly #holders = new Set<Supervisor>();
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(parts: FleetParts) {
    this.#parts = parts;
  }

  /** Takes over a revision that ran before; its server starts at the first request. */
  restore(revision: Revision): void {
    this.#supervisors.set(revision.deploymentId, this.#supervise(revision));
  }

  /** Where the deployment's server answers; started when it does not run. */
  async origin(deploymentId: string): Promise<string> {
    const supervisor = this.#supervisors.get(deploymentId);
    if (!supervisor) throw new ServerUnavailable("no revision of this deployment runs yet");
    return supervisor.origin();
  }

  /** Lets the revision's server take over when it answers. */
  async deploy(work: DeployWork): Promise<void> {
    const { deploymentId } = work.revision;
    const supervisor = this.#supervisors.get(deploymentId) ?? this.#supervise();
    this.#supervisors.set(deploymentId, supervisor);
    await supervisor.deploy(work);
  }

  /** Ends the deployment's servers, and forgets it. */
  async remove(deploymentId: string): Promise<void> {
    await this.#supervisors.get(deploymentId)?.close();
    this.#supervisors.delete(deploymentId);
  }

  /** Ends every server. */
  async close(): Promise<void> {
    await Promise.all([...this.#supervisors.values()].map((supervisor) => supervisor.close()));
  }

  #supervise(revision?: Revision): Supervisor {
    const { launcher, clock, drainSeconds } = this.#parts;
    const acquireSlot = (supervisor: Supervisor) => this.#acquireSlot(supervisor);
    const releaseSlot = (supervisor: Supervisor) => void this.#holders.delete(supervisor);
    return new Supervisor({ launcher, clock, drainSeconds, acquireSlot, releaseSlot }, revision);
  }

  /**
   * One after the other, so that two never count on the same place. Whoever has one does not queue: those before it may
   * wait for that very place.
   */
  async #acquireSlot(supervisor: Supervisor): Promise<void> {
    if (this.#holders.has(supervisor)) return;
    const turn = this.#lastTurn.then(() => this.#clearRoom(supervisor));
    this.#lastTurn = turn.catch(() => {});
    await turn;
  }

  async #clearRoom(supervisor: Supervisor): Promise<void> {
    while (!this.#holders.has(supervisor) && this.#holders.size >= this.#parts.maxServers) {
      const idlest = [...this.#holders]
        .filter((holder) => holder.isStoppable)
        .toSorted((a, b) => Number(a.isBusy) - Number(b.isBusy) || a.usedMs - b.usedMs)[0];
      await (idlest ? idlest.stop() : sleep(POLL_MS));
    }
    this.#holders.add(supervisor);
  }
}
