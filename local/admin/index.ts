import type { z } from "zod";
import type { PlatformClock } from "../platform/clock";
import type { Store } from "../store";
import { addWorkspace } from "../platform/workspaces";
import { notFound, problem } from "../control-plane/problems";
import type { Stage } from "../../sdk/status";
import { Activity } from "./activity";
import { Fault, Faults } from "./faults";
import { Push, handlePush } from "../rollout/pushes";
import type { Scheduler } from "../rollout/scheduler";
import { Outcome, type Outcomes } from "../rollout/outcomes";
import { RecentRequests, RequestCounts } from "./requests";

/** The admin API of a platform for tests, also over HTTP below `/_local/`. */
export class Admin {
  readonly faults = new Faults();
  readonly requestCounts = new RequestCounts();
  readonly recentRequests = new RecentRequests();
  readonly activity = new Activity();
  readonly #outcomes: Outcomes;
  readonly #store: Store;
  readonly #clock: PlatformClock;
  readonly #scheduler: Scheduler;

  constructor(parts: {
    store: Store;
    clock: PlatformClock;
    scheduler: Scheduler;
    outcomes: Outcomes;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#scheduler = parts.scheduler;
    this.#outcomes = parts.outcomes;
  }

  /**
   * Counts the requests of each operation of the control plane with a valid key since the start or the last
   * `clearRequests`, for example `{ "PATCH /v2/deployments/{deployment_id}": 2 }`.
   */
  requests(): Record<string, number> {
    return this.requestCounts.all();
  }

  clearRequests(): void {
    this.requestCounts.clear();
  }

  /** Injects a fault into the next matching requests. */
  addFault(fault: z.input<typeof Fault>): void {
    this.faults.add(Fault.parse(fault));
  }

  clearFaults(): void {
    this.faults.clear();
  }

  /** Sets the outcome of a stage's next run. Throws where the deployment does not exist, or never has this stage. */
  addOutcome(given: z.input<typeof Outcome>): void {
    const outcome = Outcome.parse(given);
    const { deploymentId, stage } = outcome;
    if (deploymentId !== undefined) this.#requireStage(deploymentId, stage);
    this.#outcomes.add(outcome);
  }

  #requireStage(deploymentId: string, stage: Stage): void {
    const deployment = this.#store.deployments.get(deploymentId);
    if (deployment === undefined) throw notFound("deployment", deploymentId);
    if (stage === "build" && deployment.source !== "git_host")
      throw problem(
        400,
        `deployment ${deploymentId} runs an image, which has no build: set the outcome of create or deploy`,
      );
  }

  /** The outcomes that are not used yet. */
  outcomes(): readonly Outcome[] {
    return this.#outcomes.waiting;
  }

  clearOutcomes(): void {
    this.#outcomes.clear();
  }

  /**
   * Advances the clock of stages and timestamps, in whole milliseconds; resolves when everything that was due has
   * happened. Throws a `RangeError` beyond the year 2199.
   */
  async advanceClock(seconds: number): Promise<Date> {
    await this.#clock.advance(Math.round(seconds * 1000));
    this.#store.platform.setClockOffset(this.#clock.offsetMs);
    return new Date(this.#clock.now());
  }

  /** Handles a push to a branch, as from a git host's webhook; returns how many deployments get a revision. */
  push(push: Push): number {
    const parts = { store: this.#store, clock: this.#clock, scheduler: this.#scheduler };
    return handlePush(parts, Push.parse(push));
  }

  /** Adds a workspace, with its own key, integration and listener. */
  addWorkspace(name: string): { workspaceId: string; apiKey: string } {
    const { id, api_key } = addWorkspace(this.#store, this.#clock, name);
    return { workspaceId: id, apiKey: api_key };
  }

  /** Puts a name in use that no deployment has. */
  addLeftoverName(name: string): void {
    this.#store.leftoverNames.add(name);
  }

  /** Replaces the tag values of a deployment; false if none has this id. */
  setTags(deploymentId: string, tagValueIds: readonly string[]): boolean {
    if (!this.#store.deployments.get(deploymentId)) return false;
    this.#store.transaction(() => this.#store.tags.set(deploymentId, tagValueIds));
    return true;
  }
}
