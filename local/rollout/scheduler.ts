import { setTimeout as sleep } from "node:timers/promises";
import type { PlatformClock } from "../platform/clock";
import type { Stage } from "../../sdk/status";
import type { StopReason } from "../drivers/driver";
import { hasEnded, IN_PROGRESS, stageOf, type RevisionEvent } from "./machine";
import { runStage, toDriver, type StageParts } from "./stages";
import { reportFailure } from "../platform/stderr";
import type { Store, StoredRevision } from "../store";
import { moveDeployment, moveRevision } from "./transitions";

/** Dependencies of the scheduler. */
export interface SchedulerParts extends StageParts {
  readonly store: Store;
  readonly clock: PlatformClock;
}

/** The revisions of one deployment, in the order of their creation. */
interface Queue {
  /** Settles after the `create` stage of the last revision. */
  created: Promise<void>;
  /** Settles when the last revision has ended. */
  finished: Promise<void>;
}

/** A revision in progress. */
interface Run {
  readonly controller: AbortController;
  /** The current stage. */
  stage?: Promise<void>;
}

/** Real time: advancing the platform's clock frees no disk space. */
const RETRY_INTERVAL_MS = 1000;

/**
 * Runs the stages of revisions. Per deployment, one revision at a time is built and deployed while the others wait in
 * QUEUED; deployments do not wait for each other. Each status is stored before the next stage starts; a write that fails
 * is reported on standard error and retried.
 */
export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #queues = new Map<string, Queue>();
  readonly #runs = new Map<string, Run>();
  readonly #removals = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
  }

  /** Resumes what the previous run of the platform left: active servers, deletions, revisions in progress. */
  start(): void {
    const { store, driver } = this.#parts;
    driver.restore(() => store.revisions.active().map(toDriver));
    for (const { id } of store.deployments.withStatus("AWAITING_DELETE")) this.remove(id);
    for (const revision of store.revisions.withStatus(IN_PROGRESS)) {
      this.#restart(revision.id);
      this.enqueue(revision);
    }
    // A kill can come between the end of a first revision and this.
    for (const { id } of store.deployments.withStatus("AWAITING_DATABASE"))
      if (store.revisions.withStatus(IN_PROGRESS, id).length === 0) {
        const created = this.#prepare(id);
        this.#queues.set(id, { created, finished: created });
      }
  }

  /** Starts a stored revision when its turn comes; while the platform closes, its next start does. */
  enqueue({ id, deployment_id }: Pick<StoredRevision, "id" | "deployment_id">): void {
    if (this.#closing.signal.aborted) return;
    const queue = this.#queues.get(deployment_id);
    const run: Run = { controller: new AbortController() };
    this.#runs.set(id, run);
    const created = Promise.resolve(queue?.created)
      .then(() => this.#create(id, deployment_id, run))
      .catch((error: unknown) => reportFailure(`create revision ${id}`, error));
    const finished = Promise.all([created, queue?.finished])
      .then(() => this.#finish(id, run))
      .catch((error: unknown) => reportFailure(`build or deploy revision ${id}`, error))
      .finally(() => this.#runs.delete(id));
    this.#queues.set(deployment_id, { created, finished });
  }

  /** Interrupts a revision; resolves when its stage has ended, which may have completed just before. */
  async interrupt(revisionId: string): Promise<void> {
    const { store, clock } = this.#parts;
    const run = this.#runs.get(revisionId);
    run?.controller.abort("interrupted" satisfies StopReason);
    await run?.stage;
    moveRevision(store, clock, revisionId, { type: "interrupted" });
  }

  /** Ends all work for a deployment, then removes it, in the background. */
  remove(deploymentId: string): void {
    if (this.#removals.has(deploymentId)) return;
    const removal = this.#remove(deploymentId).finally(() => this.#removals.delete(deploymentId));
    this.#removals.set(deploymentId, removal);
  }

  /** Ends all work and the driver's servers; the next start resumes the revisions in progress. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const { controller } of this.#runs.values())
      controller.abort("closed" satisfies StopReason);
    await Promise.all([...this.#queues.values()].map(({ finished }) => finished));
    await this.#parts.driver.close();
    await Promise.all(this.#removals.values());
  }

  /** If this fails, the stage that was in progress is repeated all the same, under its old status. */
  #restart(revisionId: string): void {
    const { store, clock } = this.#parts;
    try {
      moveRevision(store, clock, revisionId, { type: "restarted" });
    } catch (error) {
      reportFailure(`update revision ${revisionId} after 'restarted'`, error);
    }
  }

  async #create(revisionId: string, deploymentId: string, run: Run): Promise<void> {
    const { store } = this.#parts;
    if (store.revisions.get(revisionId)?.status === "CREATING")
      await this.#runStage(revisionId, run, "create");
    // The next start creates what the platform's end has cut off.
    if (this.#closing.signal.aborted) return;
    await this.#prepare(deploymentId);
  }

  /** Stores that the first revision of a deployment has been created. */
  #prepare(deploymentId: string): Promise<void> {
    const { store, clock } = this.#parts;
    const what = `update deployment ${deploymentId} after 'prepared'`;
    return retry(what, this.#closing.signal, () =>
      moveDeployment(store, clock, deploymentId, "prepared"),
    );
  }

  /** Takes a revision from QUEUED to its last status. */
  async #finish(revisionId: string, run: Run): Promise<void> {
    const { store } = this.#parts;
    const { signal } = run.controller;
    while (!signal.aborted) {
      const status = store.revisions.get(revisionId)?.status;
      if (!status || hasEnded(status)) break;
      const stage = stageOf(status);
      if (stage) await this.#runStage(revisionId, run, stage);
      else await this.#apply(revisionId, { type: "proceed" }, signal);
    }
  }

  async #apply(revisionId: string, event: RevisionEvent, signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#parts;
    const what = `update revision ${revisionId} after '${event.type}'`;
    await retry(what, signal, () => moveRevision(store, clock, revisionId, event));
  }

  async #runStage(revisionId: string, run: Run, stage: Stage): Promise<void> {
    const { store, clock } = this.#parts;
    const revision = store.revisions.get(revisionId);
    if (!revision) return;
    const { signal } = run.controller;
    const activate = () => moveRevision(store, clock, revisionId, { type: "done" });
    run.stage = runStage(this.#parts, { revision, stage, signal, activate }).then(
      (event) => event && this.#apply(revisionId, event, signal),
    );
    await run.stage;
  }

  async #remove(deploymentId: string): Promise<void> {
    const { store, driver, logs } = this.#parts;
    await retry(`remove deployment ${deploymentId}`, this.#closing.signal, async () => {
      const inProgress = store.revisions.withStatus(IN_PROGRESS, deploymentId);
      await Promise.all(inProgress.map(({ id }) => this.interrupt(id)));
      await this.#queues.get(deploymentId)?.finished;
      if (this.#closing.signal.aborted) return;
      await driver.remove(deploymentId);
      await logs.remove(deploymentId);
      store.deployments.remove(deploymentId);
      this.#queues.delete(deploymentId);
    });
  }
}

/** Repeats work until it succeeds or the signal is aborted; reports the first failure on standard error. */
async function retry(what: string, signal: AbortSignal, work: () => unknown): Promise<void> {
  for (let failures = 0; ; failures += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (failures === 0) reportFailure(`${what} (retrying)`, error);
      await sleep(RETRY_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }
}
