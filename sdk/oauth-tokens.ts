import { named } from "./call";
import { path } from "./path";
import type {
  Authenticate,
  Authentication,
  AuthenticationResult,
  OAuthToken,
  UpdateOAuthToken,
} from "./schema";
import type { CallOptions, Transport } from "./transport";

/** The longest time that the service lets a request wait for a user, and the time that the client waits beyond it. */
const DEFAULT_WAIT_SECONDS = 30;
const ANSWER_SECONDS = 10;

/**
 * Tokens of users at OAuth providers (contract, "Endpoint groups"; the shapes are the public service's).
 *
 * @example
 * ```ts
 * const started = await controlPlane.oauthTokens.authenticate({ provider: "github", scopes: ["repo"] });
 * if (started.auth_id) {
 *   console.log(`open ${started.url}`);
 *   const { status } = await controlPlane.oauthTokens.wait(started.auth_id, { timeoutSeconds: 60 });
 * }
 * ```
 */
export class OAuthTokens {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the token if there is one with these scopes; else a URL for the user, and an `auth_id` to wait for. */
  authenticate(body: Authenticate, options?: CallOptions): Promise<Authentication> {
    return this.#transport.request({
      ...options,
      ...named("authenticate at OAuth provider", "POST", "/v2/auth/authenticate", body.provider),
      body,
      response: (schema) => schema.Authentication,
    });
  }

  /** Waits in one request until the user has come back, at most `timeoutSeconds`. @default 30 seconds */
  wait(
    authId: string,
    {
      timeoutSeconds = DEFAULT_WAIT_SECONDS,
      ...options
    }: CallOptions & { readonly timeoutSeconds?: number | undefined } = {},
  ): Promise<AuthenticationResult> {
    return this.#transport.request({
      ...options,
      ...named("wait for authentication", "GET", path`/v2/auth/wait/${authId}`, authId),
      query: { timeout: timeoutSeconds },
      timeoutSeconds: timeoutSeconds + ANSWER_SECONDS,
      response: (schema) => schema.AuthenticationResult,
    });
  }

  /** Every token of the key's user, or those of one provider. */
  async *list({
    providerId,
    ...options
  }: CallOptions & { readonly providerId?: string | undefined } = {}): AsyncIterable<OAuthToken> {
    yield* await this.#transport.request({
      ...options,
      ...named("list OAuth tokens", "GET", "/v2/auth/tokens"),
      query: { provider_id: providerId },
      response: (schema) => schema.OAuthTokensList,
    });
  }

  /** Whether there is a token of this provider. */
  async exists(providerId: string, options?: CallOptions): Promise<boolean> {
    const { has_token } = await this.#transport.request({
      ...options,
      ...named("look for tokens of OAuth provider", "GET", "/v2/auth/tokens/exists", providerId),
      query: { provider_id: providerId },
      response: (schema) => schema.OAuthTokenExists,
    });
    return has_token;
  }

  update(id: string, body: UpdateOAuthToken, options?: CallOptions): Promise<OAuthToken> {
    return this.#transport.request({
      ...options,
      ...named("update OAuth token", "PATCH", path`/v2/auth/tokens/${id}/metadata`, id),
      body,
      response: (schema) => schema.OAuthToken,
    });
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#transport.request({
      ...options,
      ...named("delete OAuth token", "DELETE", path`/v2/auth/tokens/${id}`, id),
      response: (schema) => schema.NoContent,
    });
  }

  /** Deletes every token of a provider. */
  deleteAll(providerId: string, options?: CallOptions): Promise<void> {
    return this.#transport.request({
      ...options,
      ...named("delete tokens of OAuth provider", "DELETE", "/v2/auth/tokens", providerId),
      query: { provider_id: providerId },
      response: (schema) => schema.NoContent,
    });
  }
}
