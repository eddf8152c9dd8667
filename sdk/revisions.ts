import { type PageOptions, walkPages } from "./pages";
import { path } from "./path";
import type {
  CreateRevision,
  Deployment,
  LogPage,
  LogType,
  Revision,
  RevisionsList,
} from "./schema";
import type { CallOptions, Transport } from "./transport";

/** Revisions of a deployment (contract, "Endpoints"). Every method throws a `RequestError`. */
export class Revisions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get(deploymentId: string, revisionId: string, options?: CallOptions): Promise<Revision> {
    return this.#transport.request({
      ...options,
      action: "get revision",
      subject: revisionId,
      method: "GET",
      path: path`/v2/deployments/${deploymentId}/revisions/${revisionId}`,
      answer: (schema) => schema.Revision,
    });
  }

  /** Every revision of a deployment, newest first. */
  list(deploymentId: string, options?: CallOptions): AsyncIterable<Revision> {
    return walkPages((page) => this.#page(deploymentId, page, options));
  }

  /** The newest revisions of a deployment, newest first, in one request. */
  async newest(deploymentId: string, limit: number, options?: CallOptions): Promise<Revision[]> {
    const page = await this.#page(deploymentId, { limit }, options);
    return page.resources.slice(0, limit);
  }

  /** Makes a revision whatever is in the body. Newer versions of the service offer it. */
  create(deploymentId: string, body: CreateRevision, options?: CallOptions): Promise<Revision> {
    return this.#transport.request({
      ...options,
      action: "create revision of deployment",
      subject: deploymentId,
      method: "POST",
      path: path`/v2/deployments/${deploymentId}/revisions`,
      body,
      secrets: (body.secrets ?? []).map(({ value }) => value),
      answer: (schema) => schema.Revision,
    });
  }

  /** Makes a new revision of what an old one was made of. The public service answers with the deployment. */
  redeploy(deploymentId: string, revisionId: string, options?: CallOptions): Promise<Deployment> {
    return this.#transport.request({
      ...options,
      action: "redeploy revision",
      subject: revisionId,
      method: "POST",
      path: path`/v2/deployments/${deploymentId}/revisions/${revisionId}/redeploy`,
      answer: (schema) => schema.Deployment,
    });
  }

  /** Ends a revision that is still going. What the service answers is not known and not read. */
  interrupt(deploymentId: string, revisionId: string, options?: CallOptions): Promise<void> {
    return this.#transport.request({
      ...options,
      action: "interrupt revision",
      subject: revisionId,
      method: "POST",
      path: path`/v2/deployments/${deploymentId}/revisions/${revisionId}/interrupt`,
      answer: (schema) => schema.NoContent,
    });
  }

  /** The newest lines of a revision's log, newest first. Not in the contract: a control plane may answer 404. */
  logs(
    deploymentId: string,
    revisionId: string,
    query: { readonly type: LogType; readonly limit?: number },
    options?: CallOptions,
  ): Promise<LogPage> {
    return this.#transport.request({
      ...options,
      action: `get ${query.type} log of revision`,
      subject: revisionId,
      method: "GET",
      path: path`/v2/deployments/${deploymentId}/revisions/${revisionId}/logs`,
      query: { ...query, order: "desc" },
      answer: (schema) => schema.LogPage,
    });
  }

  #page(deploymentId: string, query: PageOptions, options?: CallOptions): Promise<RevisionsList> {
    return this.#transport.request({
      ...options,
      action: "list revisions of deployment",
      subject: deploymentId,
      method: "GET",
      path: path`/v2/deployments/${deploymentId}/revisions`,
      query: { ...query },
      answer: (schema) => schema.RevisionsList,
    });
  }
}
