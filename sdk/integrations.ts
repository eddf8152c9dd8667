import { named } from "./call";
import { path } from "./path";
import type { Integration, Repository } from "./schema";
import type { CallOptions, Transport } from "./transport";

/** Git hosts that the workspace may clone from; the paths and shapes are the public service's. */
export class Integrations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Every git integration; its id is what a deployment's `integration_id` names. */
  async *list(options?: CallOptions): AsyncIterable<Integration> {
    yield* await this.#transport.request({
      ...options,
      ...named("list integrations", "GET", "/v1/integrations/git_host/install"),
      response: (schema) => schema.IntegrationsList,
    });
  }

  /** Every repository that an integration can clone. */
  async *repositories(integrationId: string, options?: CallOptions): AsyncIterable<Repository> {
    yield* await this.#transport.request({
      ...options,
      ...named(
        "list repositories of integration",
        "GET",
        path`/v1/integrations/git_host/${integrationId}/repos`,
        integrationId,
      ),
      response: (schema) => schema.RepositoriesList,
    });
  }
}
