import { named, ofId } from "./call";
import { endlessListError, list, MOST_PAGES, type PageOptions, TOO_MANY_PAGES } from "./pages";
import { path } from "./path";
import type {
  CreateRevision,
  Deployment,
  LogLine,
  LogPage,
  LogType,
  Revision,
  RevisionsList,
} from "./schema";
import { factsOf } from "./status";
import type { Call, CallOptions, Transport } from "./transport";
import { waitFor } from "./wait";

/** Filters of a list of revisions: the contract shows no query, `status` is the public service's. */
export interface RevisionFilters extends PageOptions {
  /** One status. `offset` counts only revisions of it. */
  readonly status?: string | undefined;
}

/** The lines of a log to read. */
export interface LogQuery {
  readonly type: LogType;
  /** The oldest (`asc`) or the newest (`desc`) lines first. @default "desc" */
  readonly order?: "asc" | "desc" | undefined;
  /** 1 to 1000. @default the control plane's own, 50 on the public service */
  readonly limit?: number | undefined;
  /** The `next_offset` of the page before. */
  readonly offset?: string | undefined;
  /** Only lines from this time on, in ISO 8601. A control plane may ignore it. */
  readonly start_time?: string | undefined;
}

/** Lines (public service). */
const LARGEST_LOG_PAGE = 1000;

/** Revisions of a deployment (contract, "Endpoints"). Every method throws a `RequestError`. */
export class Revisions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get(deploymentId: string, revisionId: string, options?: CallOptions): Promise<Revision> {
    return this.#transport.request({
      ...options,
      ...named(
        "get revision",
        "GET",
        path`/v2/deployments/${deploymentId}/revisions/${revisionId}`,
        revisionId,
      ),
      response: (schema) => ofId(schema.Revision, "id", revisionId),
    });
  }

  /** Every revision of a deployment that matches the filters, newest first. */
  async *list(
    deploymentId: string,
    { status, offset = 0, ...page }: RevisionFilters = {},
    options?: CallOptions,
  ): AsyncGenerator<Revision, void, undefined> {
    const call = this.#listCall(deploymentId, options);
    if (status === undefined) return yield* list(this.#transport, call, { ...page, offset });
    let matching = 0;
    // A control plane that does not know `status` ignores it, and would skip revisions of any status.
    for await (const revision of list(this.#transport, { ...call, query: { status } }, page))
      if (revision.status === status && (matching += 1) > offset) yield revision;
  }

  /** The newest revisions of a deployment, newest first, in one request. */
  async newest(deploymentId: string, limit: number, options?: CallOptions): Promise<Revision[]> {
    const call = this.#listCall(deploymentId, options);
    const page = await this.#transport.request({ ...call, query: { limit } });
    return page.resources.slice(0, limit);
  }

  /**
   * Waits until a revision has ended, and returns it: its status says whether it was deployed, has failed, was interrupted or
   * was skipped. Transient errors do not end the wait. Throws a `WaitEnded` when the time is over.
   */
  async wait(
    deploymentId: string,
    revisionId: string,
    {
      timeoutSeconds = 1800,
      ...options
    }: CallOptions & { readonly timeoutSeconds?: number | undefined } = {},
  ): Promise<Revision> {
    const { revision } = await waitFor<{ state: "done"; revision: Revision }>({
      clock: this.#transport.clock,
      timeoutMs: timeoutSeconds * 1000,
      signal: options.signal,
      poll: async (signal) => {
        const polled = await this.get(deploymentId, revisionId, { ...options, signal });
        const { status } = polled;
        const isGoingOn = ["in progress", "unknown"].includes(factsOf(status).phase);
        return isGoingOn
          ? { state: "pending", stage: status }
          : { state: "done", revision: polled };
      },
    }).catch((error: unknown) => {
      options.signal?.throwIfAborted();
      throw error;
    });
    return revision;
  }

  /** Creates a revision, whatever is in the body. Offered by newer versions of the service. */
  create(deploymentId: string, body: CreateRevision, options?: CallOptions): Promise<Revision> {
    return this.#transport.request({
      ...options,
      ...named(
        "create revision of deployment",
        "POST",
        path`/v2/deployments/${deploymentId}/revisions`,
        deploymentId,
      ),
      body,
      secrets: (body.secrets ?? []).map(({ value }) => value),
      response: (schema) => schema.Revision,
    });
  }

  /** Creates a revision from the same source as an earlier one. The public service returns the deployment. */
  redeploy(deploymentId: string, revisionId: string, options?: CallOptions): Promise<Deployment> {
    return this.#transport.request({
      ...options,
      ...named(
        "redeploy revision",
        "POST",
        path`/v2/deployments/${deploymentId}/revisions/${revisionId}/redeploy`,
        revisionId,
      ),
      response: (schema) => schema.Deployment,
    });
  }

  /** Interrupts a revision that is in progress. The response is not documented and not read. */
  interrupt(deploymentId: string, revisionId: string, options?: CallOptions): Promise<void> {
    return this.#transport.request({
      ...options,
      ...named(
        "interrupt revision",
        "POST",
        path`/v2/deployments/${deploymentId}/revisions/${revisionId}/interrupt`,
        revisionId,
      ),
      isRepeatable: true,
      response: (schema) => schema.NoContent,
    });
  }

  /** One page of a revision's log, the newest lines by default. Not in the contract: a control plane may respond with 404. */
  logs(
    deploymentId: string,
    revisionId: string,
    { order = "desc", ...query }: LogQuery,
    options?: CallOptions,
  ): Promise<LogPage> {
    const call = this.#logCall(deploymentId, revisionId, { order, ...query }, options);
    return this.#transport.request(call);
  }

  /** Every line of a revision's log, oldest first. Not in the contract either. */
  async *logLines(
    deploymentId: string,
    revisionId: string,
    type: LogType,
    options?: CallOptions,
  ): AsyncGenerator<LogLine, void, undefined> {
    const query = { type, limit: LARGEST_LOG_PAGE, order: "asc" } as const;
    const offsets = new Set<string>();
    for (let offset: string | undefined; ;) {
      const call = this.#logCall(deploymentId, revisionId, { ...query, offset }, options);
      const page = await this.#transport.request(call);
      yield* page.logs;
      const next = page.next_offset || undefined;
      if (next === undefined || next === offset) return;
      if (offsets.has(next))
        throw endlessListError(this.#transport, call, "the server returned a next_offset twice");
      if (offsets.size >= MOST_PAGES) throw endlessListError(this.#transport, call, TOO_MANY_PAGES);
      offsets.add(next);
      offset = next;
    }
  }

  #logCall(
    deploymentId: string,
    revisionId: string,
    query: LogQuery,
    options: CallOptions | undefined,
  ): Call<LogPage> {
    return {
      ...options,
      ...named(
        `get ${query.type} log of revision`,
        "GET",
        path`/v2/deployments/${deploymentId}/revisions/${revisionId}/logs`,
        revisionId,
      ),
      query: { ...query },
      response: (schema) => schema.LogPage,
    };
  }

  #listCall(deploymentId: string, options: CallOptions | undefined): Call<RevisionsList> {
    return {
      ...options,
      ...named(
        "list revisions of deployment",
        "GET",
        path`/v2/deployments/${deploymentId}/revisions`,
        deploymentId,
      ),
      response: (schema) => schema.RevisionsList,
    };
  }
}
