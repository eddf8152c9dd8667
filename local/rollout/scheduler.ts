import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { PlatformClock } from "../platform/clock";
import type { Stage } from "../../sdk/status";
import type { StopReason } from "../drivers/driver";
import { hasEnded, IN_PROGRESS, stageOf, type RevisionEvent } from "./machine";
import { runStage, toDriver, type StageParts } from "./stages";
import { reportFailure } from "../platform/stderr";
import type { Store, StoredRevision } from "../store";
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

/** Between two tries of what the disk did not take; of real time, since moving the clock makes no room on a disk. */
const AGAIN_MS = 1000;

/**
 * Brings revisions to their end. Of one deployment, one is built and deployed at a time and the others wait in QUEUED;
 * deployments do not wait for each other. Each step is stored before the next one begins; what can't be stored or removed
 * is reported on standard error and tried again.
 */
export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #lanes = new Map<string, Lane>();
  readonly #journeys = new Map<string, Journey>();
  readonly #removals = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    // Every deletion that is tried again listens for the end of the platform.
    setMaxListeners(0, this.#closing.signal);
  }

  /** Takes up what a former run left: active servers, deletions, revisions in progress. */
  start(): void {
    const { store, driver } = this.#parts;
    driver.restore(() => store.revisions.active().map(toDriver));
    for (const { id } of store.deployments.withStatus("AWAITING_DELETE")) this.remove(id);
    for (const revision of store.revisions.withStatus(IN_PROGRESS)) {
      this.#restart(revision.id);
      this.enqueue(revision);
    }
  }

  /** Sends a stored revision on its way; while the platform closes, that is left to its next start. */
  enqueue({ id, deployment_id }: Pick<StoredRevision, "id" | "deployment_id">): void {
    if (this.#closing.signal.aborted) return;
    const lane = this.#lanes.get(deployment_id);
    const journey: Journey = { ending: new AbortController() };
    this.#journeys.set(id, journey);
    const created = Promise.resolve(lane?.created)
      .then(() => this.#create(id, deployment_id, journey))
      .catch((error: unknown) => reportFailure(`create revision ${id}`, error));
    const finished = Promise.all([created, lane?.finished])
      .then(() => this.#finish(id, journey))
      .catch((error: unknown) => reportFailure(`build or deploy revision ${id}`, error))
      .finally(() => this.#journeys.delete(id));
    this.#lanes.set(deployment_id, { created, finished });
  }

  /** Ends a revision; resolves when its work has ended, which may have been done a moment before. */
  async interrupt(revisionId: string): Promise<void> {
    const { store, clock } = this.#parts;
    const journey = this.#journeys.get(revisionId);
    journey?.ending.abort("interrupted" satisfies StopReason);
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
    for (const { ending } of this.#journeys.values()) ending.abort("closed" satisfies StopReason);
    await Promise.all([...this.#lanes.values()].map(({ finished }) => finished));
    await this.#parts.driver.close();
    await Promise.all(this.#removals.values());
  }

  /** Without it the stage that was under way is started again all the same, under the status that it had. */
  #restart(revisionId: string): void {
    const { store, clock } = this.#parts;
    try {
      moveRevision(store, clock, revisionId, { type: "restarted" });
    } catch (error) {
      reportFailure(`store that revision ${revisionId} is started again`, error);
    }
  }

  async #create(revisionId: string, deploymentId: string, journey: Journey): Promise<void> {
    const { store, clock } = this.#parts;
    if (store.revisions.get(revisionId)?.status === "CREATING")
      await this.#run(revisionId, journey, "create");
    const what = `store that deployment ${deploymentId} is prepared`;
    await untilDone(what, this.#closing.signal, () =>
      moveDeployment(store, clock, deploymentId, "prepared"),
    );
  }

  /** Takes a revision, when it is its turn, from QUEUED to its end. */
  async #finish(revisionId: string, journey: Journey): Promise<void> {
    const { store } = this.#parts;
    const { signal } = journey.ending;
    while (!signal.aborted) {
      const status = store.revisions.get(revisionId)?.status;
      if (!status || hasEnded(status)) break;
      const stage = stageOf(status);
      if (stage) await this.#run(revisionId, journey, stage);
      else await this.#move(revisionId, { type: "proceed" }, signal);
    }
  }

  async #move(revisionId: string, event: RevisionEvent, signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#parts;
    const what = `store that revision ${revisionId} is ${event.type}`;
    await untilDone(what, signal, () => moveRevision(store, clock, revisionId, event));
  }

  async #run(revisionId: string, journey: Journey, stage: Stage): Promise<void> {
    const { store, clock } = this.#parts;
    const revision = store.revisions.get(revisionId);
    if (!revision) return;
    const { signal } = journey.ending;
    const activate = () => moveRevision(store, clock, revisionId, { type: "done" });
    const run = { revision, stage, signal, activate };
    journey.stage = runStage(this.#parts, run).then(
      (event) => event && this.#move(revisionId, event, signal),
    );
    await journey.stage;
  }

  async #remove(deploymentId: string): Promise<void> {
    const { store, driver, logs } = this.#parts;
    await untilDone(`remove deployment ${deploymentId}`, this.#closing.signal, async () => {
      const open = store.revisions.withStatus(IN_PROGRESS, deploymentId);
      await Promise.all(open.map(({ id }) => this.interrupt(id)));
      await this.#lanes.get(deploymentId)?.finished;
      if (this.#closing.signal.aborted) return;
      await driver.remove(deploymentId);
      await logs.remove(deploymentId);
      store.deployments.remove(deploymentId);
      this.#lanes.delete(deploymentId);
    });
  }
}

/** Does what fails again until it succeeds or is not to be done any more; standard error tells of it once. */
async function untilDone(what: string, signal: AbortSignal, work: () => unknown): Promise<void> {
  for (let failures = 0; ; failures += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (failures === 0) reportFailure(`${what} (tried again until it succeeds)`, error);
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }
}
