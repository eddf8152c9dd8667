import { named } from "./call";
import { path } from "./path";
import type { CreateOAuthProvider, OAuthProvider, UpdateOAuthProvider } from "./schema";
import type { CallOptions, Transport } from "./transport";

/** OAuth providers of the auth service (contract, "Endpoint groups"; the shapes are the public service's). */
export class OAuthProviders {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: CreateOAuthProvider, options?: CallOptions): Promise<OAuthProvider> {
    return this.#transport.request({
      ...options,
      ...named("create OAuth provider", "POST", "/v2/auth/providers", body.provider_id),
      body,
      secrets: secretOf(body),
      response: (schema) => schema.OAuthProvider,
    });
  }

  /** A provider by its slug. */
  get(providerId: string, options?: CallOptions): Promise<OAuthProvider> {
    return this.#transport.request({
      ...options,
      ...named("get OAuth provider", "GET", path`/v2/auth/providers/${providerId}`, providerId),
      response: (schema) => schema.OAuthProvider,
    });
  }

  /** Every provider, in one response. */
  async *list(options?: CallOptions): AsyncIterable<OAuthProvider> {
    yield* await this.#transport.request({
      ...options,
      ...named("list OAuth providers", "GET", "/v2/auth/providers"),
      response: (schema) => schema.OAuthProvidersList,
    });
  }

  update(
    providerId: string,
    body: UpdateOAuthProvider,
    options?: CallOptions,
  ): Promise<OAuthProvider> {
    return this.#transport.request({
      ...options,
      ...named(
        "update OAuth provider",
        "PATCH",
        path`/v2/auth/providers/${providerId}`,
        providerId,
      ),
      isRepeatable: true,
      body,
      secrets: secretOf(body),
      response: (schema) => schema.OAuthProvider,
    });
  }

  delete(providerId: string, options?: CallOptions): Promise<void> {
    return this.#transport.request({
      ...options,
      ...named(
        "delete OAuth provider",
        "DELETE",
        path`/v2/auth/providers/${providerId}`,
        providerId,
      ),
      response: (schema) => schema.NoContent,
    });
  }
}

function secretOf({ client_secret: secret }: { client_secret?: string | null | undefined }) {
  return secret ? [secret] : [];
}
