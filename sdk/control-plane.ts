import { type BaseUrlRules, normalizeBaseUrl } from "./base-url";
import { Deployments } from "./deployments";
import { headersProblem, requireHeaderValues } from "./header-value";
import { Integrations } from "./integrations";
import { Listeners } from "./listeners";
import { OAuthProviders } from "./oauth-providers";
import { OAuthTokens } from "./oauth-tokens";
import { Revisions } from "./revisions";
import { Transport, type TransportOptions } from "./transport";

/** Address and credentials of a control plane; exactly one of `apiKey` and `bearerToken`. */
export interface ControlPlaneOptions
  extends
    BaseUrlRules,
    Pick<
      TransportOptions,
      | "requestTimeoutSeconds"
      | "maxConcurrentRequests"
      | "clock"
      | "dialect"
      | "program"
      | "onMismatch"
    > {
  /** For example `https://control.example.com`; with or without a path and a trailing slash. */
  readonly baseUrl: string;
  /** Sent as `X-Api-Key`: ASCII without control characters, and without blanks at its ends. */
  readonly apiKey?: string | undefined;
  /** Sent as `Authorization: Bearer`, instead of a key. */
  readonly bearerToken?: string | undefined;
  /** Sent with every request, to this host alone: what a gateway in front of it asks for. Redacted in errors. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The workspace to work in, sent as `X-Tenant-Id`. */
  readonly workspaceId: string;
}

/** The secret values among the options: what is redacted. */
export function secretsIn({
  apiKey,
  bearerToken,
  headers = {},
}: Pick<ControlPlaneOptions, "apiKey" | "bearerToken" | "headers">): string[] {
  return [apiKey, bearerToken, ...Object.values(headers)].flatMap((secret) => secret ?? []);
}

/**
 * Client of one workspace of a control plane.
 *
 * @example
 * ```ts
 * const controlPlane = new ControlPlane({ baseUrl, apiKey, workspaceId });
 * for await (const deployment of controlPlane.deployments.list()) console.log(deployment.name);
 * ```
 */
export class ControlPlane {
  /** The normalized base URL, without a trailing slash. */
  readonly baseUrl: string;
  readonly deployments: Deployments;
  readonly revisions: Revisions;
  readonly integrations: Integrations;
  readonly listeners: Listeners;
  readonly oauthProviders: OAuthProviders;
  readonly oauthTokens: OAuthTokens;
  readonly #transport: Transport;

  /** Throws a `TypeError` when the base URL, the credentials or the workspace's id are not valid. */
  constructor(options: ControlPlaneOptions) {
    const { apiKey, bearerToken, workspaceId, headers = {} } = options;
    if ((apiKey === undefined) === (bearerToken === undefined))
      throw new TypeError("set either apiKey or bearerToken");
    // Without one the service would take the key's default workspace.
    requireHeaderValues({ apiKey, bearerToken, workspaceId: workspaceId ?? "" });
    const problem = headersProblem(headers, bearerToken);
    if (problem !== undefined) throw new TypeError(`headers ${problem}`);
    this.baseUrl = normalizeBaseUrl(options.baseUrl, options);
    this.#transport = new Transport({
      ...options,
      baseUrl: this.baseUrl,
      endpointsMayBeMissing: true,
      headers: {
        ...headers,
        "x-tenant-id": workspaceId,
        ...(apiKey !== undefined && { "x-api-key": apiKey }),
        ...(bearerToken !== undefined && { authorization: `Bearer ${bearerToken}` }),
      },
      credentials: secretsIn(options),
    });
    this.deployments = new Deployments(this.#transport);
    this.revisions = new Revisions(this.#transport);
    this.integrations = new Integrations(this.#transport);
    this.listeners = new Listeners(this.#transport);
    this.oauthProviders = new OAuthProviders(this.#transport);
    this.oauthTokens = new OAuthTokens(this.#transport);
  }

  /** The time by the control plane's clock, according to the `Date` of its last response; undefined before one. */
  serverTime(): Date | undefined {
    return this.#transport.serverTime();
  }

  /** The same; before such a response the time by the own clock. */
  serverNow(): Date {
    return this.#transport.serverNow();
  }
}
