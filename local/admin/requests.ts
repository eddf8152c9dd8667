import { shorten } from "../../shared/shorten";

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

/** One request to the control plane, without its body, query and headers. */
export interface RecentRequest {
  /** Counts all requests from 1. */
  readonly number: number;
  /** When it came, in milliseconds since 1970, of real time. */
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  /** Undefined if the connection was closed without a response. */
  readonly status: number | undefined;
  readonly durationMs: number;
  /** The `User-Agent`. */
  readonly client: string | undefined;
}

const KEPT = 500;
const LONGEST = 300;

/** The last 500 requests to the control plane, also refused ones. */
export class RecentRequests {
  #requests: RecentRequest[] = [];
  #last = 0;

  /** The number of the newest. */
  get last(): number {
    return this.#last;
  }

  add(request: Omit<RecentRequest, "number">): void {
    this.#last += 1;
    const path = shorten(request.path, LONGEST);
    const client = request.client && shorten(request.client, LONGEST);
    this.#requests.push({ ...request, path, client, number: this.#last });
    if (this.#requests.length >= 2 * KEPT) this.#requests = this.#requests.slice(-KEPT);
  }

  /** Newest first. */
  all(): RecentRequest[] {
    return this.#requests.slice(-KEPT).toReversed();
  }
}
