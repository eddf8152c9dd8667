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
      action: "create OAuth provider",
      subject: body.provider_id,
      method: "POST",
      path: "/v2/auth/providers",
      body,
      secrets: secretOf(body),
      response: (schema) => schema.OAuthProvider,
    });
  }

  /** A provider by its slug. */
  get(providerId: string, options?: CallOptions): Promise<OAuthProvider> {
    return this.#transport.request({
      ...options,
      action: "get OAuth provider",
      subject: providerId,
      method: "GET",
      path: path`/v2/auth/providers/${providerId}`,
      response: (schema) => schema.OAuthProvider,
    });
  }

  /** Every provider, in one response. */
  async *list(options?: CallOptions): AsyncIterable<OAuthProvider> {
    yield* await this.#transport.request({
      ...options,
      action: "list OAuth providers",
      method: "GET",
      path: "/v2/auth/providers",
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
      action: "update OAuth provider",
      subject: providerId,
      method: "PATCH",
      isRepeatable: true,
      path: path`/v2/auth/providers/${providerId}`,
      body,
      secrets: secretOf(body),
      response: (schema) => schema.OAuthProvider,
    });
  }

  delete(providerId: string, options?: CallOptions): Promise<void> {
    return this.#transport.request({
      ...options,
      action: "delete OAuth provider",
      subject: providerId,
      method: "DELETE",
      path: path`/v2/auth/providers/${providerId}`,
      response: (schema) => schema.NoContent,
    });
  }
}

function secretOf({ client_secret: secret }: { client_secret?: string | null | undefined }) {
  return secret ? [secret] : [];
}
