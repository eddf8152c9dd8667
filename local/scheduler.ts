import type { PlatformClock } from "./clock";
import type { Ending, Stage } from "./drivers/driver";
import { hasEnded, IN_PROGRESS, stageOf } from "./machine";
import { runStage, toDriver, type StageParts } from "./stages";
import type { Store, StoredRevision } from "./store";
import { moveDeployment, moveRevision } from "./transitions";

/** What the scheduler works with. */
export interface SchedulerParts extends StageParts {
  readonly store: Store;
  readonly clock: PlatformClock;
}

/** Where the revisions of one deployment queue, in the order they were made. */
interface Lane {
  /** Ends with the `create` stage of the last one. */
  created: Promise<void>;
  /** Ends with the last one. */
  finished: Promise<void>;
}

/** A revision on its way. */
interface Journey {
  readonly ending: AbortController;
  /** The stage that runs now. */
  stage?: Promise<void>;
}

const REMOVE_AGAIN_MS = 5000;

/**
 * Brings revisions to their end. Of one deployment, one is built and deployed at a time and the others wait in QUEUED;
 * deployments do not wait for each other. Each step is stored before the next one begins.
 */
export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #lanes = new Map<string, Lane>();
  readonly #journeys = new Map<string, Journey>();
  readonly #removals = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
  }

  /** Takes up what a former run left: active servers, deletions, revisions in progress. */
  start(): void {
    const { store, clock, driver } = this.#parts;
    driver.restore(() => store.revisions.active().map(toDriver));
    for (const { id } of store.deployments.withStatus("AWAITING_DELETE")) this.remove(id);
    for (const revision of store.revisions.withStatus(IN_PROGRESS)) {
      moveRevision(store, clock, revision.id, { type: "restarted" });
      this.enqueue(revision);
    }
  }

  /** Sends a stored revision on its way; while the platform closes, that is left to its next start. */
  enqueue({ id, deployment_id }: Pick<StoredRevision, "id" | "deployment_id">): void {
    if (this.#closing.signal.aborted) return;
    const lane = this.#lanes.get(deployment_id);
    const journey: Journey = { ending: new AbortController() };
    this.#journeys.set(id, journey);
    const created = Promise.resolve(lane?.created).then(async () => {
      if (this.#parts.store.revisions.get(id)?.status === "CREATING")
        await this.#run(id, journey, "create");
      moveDeployment(this.#parts.store, this.#parts.clock, deployment_id, "prepared");
    });
    const finished = Promise.all([created, lane?.finished]).then(() => this.#finish(id, journey));
    this.#lanes.set(deployment_id, { created, finished });
  }

  /** Ends a revision; resolves when its work has ended, which may have been done a moment before. */
  async interrupt(revisionId: string): Promise<void> {
    const { store, clock } = this.#parts;
    const journey = this.#journeys.get(revisionId);
    journey?.ending.abort("interrupted" satisfies Ending);
    await journey?.stage;
    moveRevision(store, clock, revisionId, { type: "interrupted" });
  }

  /** Ends all work for a deployment, then removes it; goes on by itself. */
  remove(deploymentId: string): void {
    if (this.#removals.has(deploymentId)) return;
    const removal = this.#remove(deploymentId).finally(() => this.#removals.delete(deploymentId));
    this.#removals.set(deploymentId, removal);
  }

  /** Ends all work and the driver's servers; what is in progress stays so, for the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const { ending } of this.#journeys.values()) ending.abort("closed" satisfies Ending);
    await Promise.all([...this.#lanes.values()].map(({ finished }) => finished));
    await this.#parts.driver.close();
    await Promise.all(this.#removals.values());
  }

  /** Takes a revision, when it is its turn, from QUEUED to its end. */
  async #finish(revisionId: string, journey: Journey): Promise<void> {
    const { store, clock } = this.#parts;
    while (!journey.ending.signal.aborted) {
      const status = store.revisions.get(revisionId)?.status;
      if (!status || hasEnded(status)) break;
      const stage = stageOf(status);
      if (stage) await this.#run(revisionId, journey, stage);
      else moveRevision(store, clock, revisionId, { type: "proceed" });
    }
    this.#journeys.delete(revisionId);
  }

  async #run(revisionId: string, journey: Journey, stage: Stage): Promise<void> {
    const { store, clock } = this.#parts;
    const revision = store.revisions.get(revisionId);
    if (!revision) return;
    const { signal } = journey.ending;
    const takesOver = () => moveRevision(store, clock, revisionId, { type: "done" });
    const run = { revision, stage, signal, takesOver };
    journey.stage = runStage(this.#parts, run).then((event) => {
      if (event) moveRevision(store, clock, revisionId, event);
    });
    await journey.stage;
  }

  async #remove(deploymentId: string): Promise<void> {
    const { store, driver, logs, clock } = this.#parts;
    const open = store.revisions.withStatus(IN_PROGRESS, deploymentId);
    await Promise.all(open.map(({ id }) => this.interrupt(id)));
    await this.#lanes.get(deploymentId)?.finished;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await driver.remove(deploymentId);
        logs.remove(deploymentId);
        store.deployments.remove(deploymentId);
        this.#lanes.delete(deploymentId);
        return;
      } catch {
        // Nobody is there to be told; the deployment stays AWAITING_DELETE, and a later try may do better.
        await clock.sleep(REMOVE_AGAIN_MS, signal).catch(() => undefined);
      }
    }
  }
}
