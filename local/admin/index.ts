import type { z } from "zod";
import type { PlatformClock } from "../platform/clock";
import type { Store } from "../store";
import { addWorkspace } from "../platform/workspaces";
import { Fault, Faults } from "./faults";
import { Push, handlePush } from "../rollout/pushes";
import type { Scheduler } from "../rollout/scheduler";
import { Outcome, type Outcomes } from "../rollout/outcomes";
import { RequestCounts } from "./requests";

/** What a test can do to a platform; the same is offered over HTTP below `/_local/`. */
export class Admin {
  readonly faults = new Faults();
  readonly requestCounts = new RequestCounts();
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

  /** How often each request of the control plane came since the start or the last `clearRequests`. */
  requests(): Record<string, number> {
    return this.requestCounts.all();
  }

  clearRequests(): void {
    this.requestCounts.clear();
  }

  /** Makes the next matching requests fail. */
  addFault(fault: z.input<typeof Fault>): void {
    this.faults.add(Fault.parse(fault));
  }

  clearFaults(): void {
    this.faults.clear();
  }

  /** Decides how the next run of a stage ends. */
  addOutcome(outcome: z.input<typeof Outcome>): void {
    this.#outcomes.add(Outcome.parse(outcome));
  }

  clearOutcomes(): void {
    this.#outcomes.clear();
  }

  /**
   * Moves the time of stages and timestamps, in whole milliseconds; resolves when all that falls into it has happened.
   * Throws a `RangeError` where that leads beyond the year 2199.
   */
  async advanceClock(seconds: number): Promise<Date> {
    await this.#clock.advance(Math.round(seconds * 1000));
    this.#store.platform.setClockOffset(this.#clock.offsetMs);
    return new Date(this.#clock.now());
  }

  /** Takes a push to a branch as a git host would tell it; returns how many deployments it makes a revision for. */
  push(push: Push): number {
    const parts = { store: this.#store, clock: this.#clock, scheduler: this.#scheduler };
    return handlePush(parts, Push.parse(push));
  }

  /** A further workspace, with its own key, integration and listener. */
  addWorkspace(name: string): { workspaceId: string; apiKey: string } {
    const { id, api_key } = addWorkspace(this.#store, this.#clock, name);
    return { workspaceId: id, apiKey: api_key };
  }

  /** Makes a name taken though no deployment has it. */
  addLeftoverName(name: string): void {
    this.#store.leftoverNames.add(name);
  }

  /** Replaces the tag values of a deployment; false when there is none of this id. */
  setTags(deploymentId: string, tagValueIds: readonly string[]): boolean {
    if (!this.#store.deployments.get(deploymentId)) return false;
    this.#store.transaction(() => this.#store.tags.set(deploymentId, tagValueIds));
    return true;
  }
}
