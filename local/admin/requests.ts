/** Counts of requests to the control plane, by `METHOD path`; the path is the route's, such as `/v2/deployments/{deployment_id}`. */
export class RequestCounts {
  readonly #counts = new Map<string, number>();

  add(method: string, path: string): void {
    const name = `${method} ${path}`;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  all(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  clear(): void {
    this.#counts.clear();
  }
}
