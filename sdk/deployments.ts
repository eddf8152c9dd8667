import { named, ofId } from "./call";
import { list, type PageOptions } from "./pages";
import { path } from "./path";
import type {
  CreateDeployment,
  Deployment,
  DeploymentsList,
  Secret,
  UpdateDeployment,
} from "./schema";
import type * as wire from "./schema";
import type { Call, CallOptions, Transport } from "./transport";
import { mapMembers } from "../shared/records";

/** Filters of the list, and its pages. `name_contains` is a part of a name: other deployments may match too. */
export type DeploymentFilters = PageOptions & Readonly<wire.DeploymentFilters>;

/** Deployments of one workspace (contract, "Endpoints"). Every method throws a `RequestError`. */
export class Deployments {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a deployment and its first revision. Not retried when the response is lost: check whether it exists. */
  create(body: CreateDeployment, options?: CallOptions): Promise<Deployment> {
    return this.#transport.request({
      ...options,
      ...named("create deployment", "POST", "/v2/deployments", body.name),
      body,
      secrets: valuesOf(body.secrets),
      response: (schema) => schema.Deployment,
    });
  }

  get(id: string, options?: CallOptions): Promise<Deployment> {
    return this.#transport.request({
      ...options,
      ...named("get deployment", "GET", path`/v2/deployments/${id}`, id),
      response: (schema) => ofId(schema.Deployment, "id", id),
    });
  }

  /** Every deployment that matches the filters, newest first. */
  async *list(
    filters: DeploymentFilters = {},
    options?: CallOptions,
  ): AsyncGenerator<Deployment, void, undefined> {
    // None is one of no ids; in a query they would be no filter.
    if (Object.values(filters).some((value) => Array.isArray(value) && value.length === 0)) return;
    const call: Call<DeploymentsList> = {
      ...options,
      ...named("list deployments", "GET", "/v2/deployments"),
      query: mapMembers({ ...filters }, textOf),
      response: (schema) => schema.DeploymentsList,
    };
    yield* list(this.#transport, call, filters);
  }

  /** Changes a deployment; a body with a trigger creates one revision (contract, "States and transitions"). */
  update(id: string, body: UpdateDeployment, options?: CallOptions): Promise<Deployment> {
    return this.#transport.request({
      ...options,
      ...named("update deployment", "PATCH", path`/v2/deployments/${id}`, id),
      body,
      secrets: valuesOf(body.secrets),
      response: (schema) => schema.Deployment,
    });
  }

  /** Requests the deletion of a deployment, which is complete when `get` throws `NotFound`. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#transport.request({
      ...options,
      ...named("delete deployment", "DELETE", path`/v2/deployments/${id}`, id),
      response: (schema) => schema.NoContent,
    });
  }
}

function valuesOf(secrets: readonly Secret[] | null | undefined): string[] {
  return (secrets ?? []).map(({ value }) => value);
}

/** A list is one text in a query, its items separated by commas. */
function textOf(value: string | number | boolean | readonly string[] | undefined) {
  return typeof value === "object" ? value.join(",") : value;
}
