/** Counts the requests to the agent server of each deployment, at their beginning and their end. */
export class Activity {
  readonly #counts = new Map<string, number>();
  #all = 0;

  note(deploymentId: string): void {
    this.#all += 1;
    this.#counts.set(deploymentId, this.of(deploymentId) + 1);
  }

  /** The same number means that no request has changed a thread of this deployment since. */
  of(deploymentId: string): number {
    return this.#counts.get(deploymentId) ?? 0;
  }

  /** The same, for all deployments. */
  get all(): number {
    return this.#all;
  }
}
