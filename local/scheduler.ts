import type { Outcomes } from "./admin/outcomes";
import type { PlatformClock } from "./clock";
import type { Driver, Revision, Stage } from "./drivers/driver";
import type { Logs } from "./logs";
import {
  hasEnded,
  IN_PROGRESS,
  nextDeployment,
  nextRevision,
  stageOf,
  type RevisionEvent,
} from "./machine";
import type { Store, StoredRevision } from "./store";

/** What the scheduler works with. */
export interface SchedulerParts {
  readonly store: Store;
  readonly driver: Driver;
  readonly logs: Logs;
  readonly clock: PlatformClock;
  readonly outcomes: Outcomes;
}

/** The revisions of one deployment, in the order they were made. */
interface Lane {
  /** Ends with the `create` stage of the last one. */
  created: Promise<void>;
  /** Ends with the last one. */
  finished: Promise<void>;
}

type Ending = "interrupted" | "closed";

const REMOVE_AGAIN_MS = 5000;

/**
 * Brings revisions to their end: `build` and `deploy` of one revision of a deployment at a time, the others wait in
 * QUEUED; deployments do not wait for each other. Each step is stored before the next one begins.
 */
export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #lanes = new Map<string, Lane>();
  readonly #endings = new Map<string, AbortController>();
  readonly #stages = new Map<string, Promise<void>>();
  readonly #removals = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
  }

  /** Takes up what a former run left: active servers, revisions in progress, deletions. */
  start(): void {
    const { store, driver } = this.#parts;
    driver.restore(store.revisions.active().map(toDriver));
    for (const { id } of store.deployments.withStatus("AWAITING_DELETE")) this.remove(id);
    for (const revision of store.revisions.withStatus(IN_PROGRESS)) {
      this.#apply(revision.id, { type: "restarted" });
      this.enqueue(revision);
    }
  }

  /** Starts the way of a stored revision. */
  enqueue({ id, deployment_id }: Pick<StoredRevision, "id" | "deployment_id">): void {
    const lane = this.#lane(deployment_id);
    this.#endings.set(id, new AbortController());
    const created = lane.created.then(() => this.#create(id, deployment_id));
    const finished = Promise.all([created, lane.finished]).then(() => this.#rollOut(id));
    Object.assign(lane, { created, finished });
  }

  /** Ends a revision that is in progress; resolves when its work has ended, which may have been a moment earlier. */
  async interrupt(revisionId: string): Promise<void> {
    this.#end(revisionId, "interrupted");
    const stage = this.#stages.get(revisionId);
    if (stage) await stage;
    else this.#apply(revisionId, { type: "interrupted" });
  }

  /** Ends all work for a deployment, then removes it; goes on by itself. */
  remove(deploymentId: string): void {
    if (this.#removals.has(deploymentId)) return;
    const removal = this.#remove(deploymentId).finally(() => this.#removals.delete(deploymentId));
    this.#removals.set(deploymentId, removal);
  }

  /** Ends all work; what is in progress stays so, for the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const revisionId of this.#endings.keys()) this.#end(revisionId, "closed");
    await Promise.all([...this.#lanes.values()].map((lane) => lane.finished));
    await this.#parts.driver.close();
    await Promise.all(this.#removals.values());
  }

  #lane(deploymentId: string): Lane {
    const lane = this.#lanes.get(deploymentId) ?? {
      created: Promise.resolve(),
      finished: Promise.resolve(),
    };
    this.#lanes.set(deploymentId, lane);
    return lane;
  }

  #end(revisionId: string, ending: Ending): void {
    this.#endings.get(revisionId)?.abort(ending);
  }

  async #create(revisionId: string, deploymentId: string): Promise<void> {
    const revision = this.#parts.store.revisions.get(revisionId);
    if (revision?.status === "CREATING") await this.#runStage(revision, "create");
    this.#prepared(deploymentId);
  }

  async #rollOut(revisionId: string): Promise<void> {
    for (;;) {
      const revision = this.#parts.store.revisions.get(revisionId);
      const ended = this.#endings.get(revisionId)?.signal.aborted ?? true;
      if (!revision || hasEnded(revision.status) || ended) break;
      const stage = stageOf(revision.status);
      if (stage) await this.#runStage(revision, stage);
      else this.#apply(revisionId, { type: "proceed" });
    }
    this.#endings.delete(revisionId);
  }

  async #runStage(revision: StoredRevision, stage: Stage): Promise<void> {
    const running = this.#work(revision, stage).then((event) => {
      if (event) this.#apply(revision.id, event);
    });
    this.#stages.set(revision.id, running);
    await running.finally(() => this.#stages.delete(revision.id));
  }

  /** What came of a stage; nothing when the platform is closing. */
  async #work(revision: StoredRevision, stage: Stage): Promise<RevisionEvent | undefined> {
    const signal = this.#endings.get(revision.id)?.signal ?? this.#closing.signal;
    const type = stage === "deploy" ? "deploy" : "build";
    const name = { deploymentId: revision.deployment_id, revisionId: revision.id, type } as const;
    const { logs, outcomes, driver } = this.#parts;
    try {
      signal.throwIfAborted();
      const forced = await outcomes.take(revision.deployment_id, stage, signal);
      if (forced) {
        logs.write(name, "ERROR", forced.reason, revision.secrets);
        return { type: forced.type };
      }
      const log = (line: string) => logs.write(name, "INFO", line, revision.secrets);
      const found = await driver[stage]({ revision: toDriver(revision), signal, log });
      if (signal.aborted && stage !== "deploy") return afterEnding(signal);
      return { type: "done", ...(found ?? {}) };
    } catch (error) {
      if (signal.aborted) {
        const event = afterEnding(signal);
        if (event) logs.write(name, "WARNING", "interrupted", revision.secrets);
        return event;
      }
      const reason = error instanceof Error ? error.message : String(error);
      logs.write(name, "ERROR", reason, revision.secrets);
      return { type: "failed" };
    }
  }

  #apply(revisionId: string, event: RevisionEvent): void {
    const { store, clock } = this.#parts;
    store.transaction(() => {
      const revision = store.revisions.get(revisionId);
      const next = revision && nextRevision(revision, event, clock.stamp());
      if (!revision || !next) return;
      store.revisions.update({ ...revision, ...next });
      if (next.status === "DEPLOYED")
        store.deployments.setActiveRevision(revision.deployment_id, revision.id, next.updated_at);
    });
  }

  #prepared(deploymentId: string): void {
    const { store, clock } = this.#parts;
    const deployment = store.deployments.get(deploymentId);
    const next = deployment && nextDeployment(deployment.status, "prepared");
    if (next) store.deployments.setStatus(deploymentId, next, clock.stamp());
  }

  async #remove(deploymentId: string): Promise<void> {
    const { store, driver, logs, clock } = this.#parts;
    const open = store.revisions.withStatus(IN_PROGRESS, deploymentId);
    await Promise.all(open.map(({ id }) => this.interrupt(id)));
    await this.#lanes.get(deploymentId)?.finished;
    while (!this.#closing.signal.aborted) {
      try {
        await driver.remove(deploymentId);
        logs.remove(deploymentId);
        store.deployments.remove(deploymentId);
        this.#lanes.delete(deploymentId);
        return;
      } catch {
        // Nobody is there to be told; the deployment stays AWAITING_DELETE, and the next try may do better.
        await clock.sleep(REMOVE_AGAIN_MS, this.#closing.signal).catch(() => undefined);
      }
    }
  }
}

function afterEnding(signal: AbortSignal): RevisionEvent | undefined {
  return signal.reason === "interrupted" ? { type: "interrupted" } : undefined;
}

function toDriver(revision: StoredRevision): Revision {
  return {
    id: revision.id,
    deploymentId: revision.deployment_id,
    source: revision.source,
    sourceConfig: revision.source_config,
    sourceRevisionConfig: revision.source_revision_config,
    secrets: revision.secrets,
  };
}
