import { type CustomResourceOptions, type ID, type Input, type Output } from "@pulumi/pulumi";
import { AgentServerResource, type OutputsOf } from "../program/resource";
import { RESOURCE_TYPES } from "../resource-types";

/** Arguments of an `OAuthProvider`. */
export interface OAuthProviderArgs {
  /**
   * The slug by which agents name the provider: letters, digits, dashes and underscores. A workspace has one provider for
   * each. Another one replaces the provider.
   */
  providerId: Input<string>;
  /** The display name. A change is sent in place. */
  name: Input<string>;
  /** The id of the client that is registered at the authorization server. A change is sent in place. */
  clientId: Input<string>;
  /**
   * The client's secret; always secret. The service never reports it: its drift is invisible, and a change of it in the
   * program is sent in place. It cannot be removed in place.
   * @default none
   */
  clientSecret?: Input<string | undefined>;
  /** The URL of the authorization endpoint (RFC 6749, section 3.1). A change is sent in place. */
  authUrl: Input<string>;
  /** The URL of the token endpoint (RFC 6749, section 3.2). A change is sent in place. */
  tokenUrl: Input<string>;
  /**
   * Whether the authorization code is bound to its request by PKCE (RFC 7636). A change is sent in place.
   * @default false
   */
  usesPkce?: Input<boolean | undefined>;
  /**
   * The PKCE challenge method: `S256` or `plain`. A change is sent in place.
   * @default "S256"
   */
  codeChallengeMethod?: Input<string | undefined>;
  /**
   * An authorization server with peculiarities that the service knows: `microsoft`, `salesforce` or `slack`. Another one
   * replaces the provider.
   * @default none
   */
  providerType?: Input<string | undefined>;
  /**
   * The client authentication method at the token endpoint: `none`, `client_secret_basic` or `client_secret_post`. Another one
   * replaces the provider.
   * @default "client_secret_post"
   */
  tokenEndpointAuthMethod?: Input<string | undefined>;
  /**
   * Adopts a provider that exists with this slug instead of failing, unless another resource of the stack has it. A client
   * secret that is set is sent. A change sends nothing.
   * @default false
   */
  adoptExisting?: Input<boolean | undefined>;
}

/**
 * An OAuth 2.0 client at an authorization server, with which agents act on behalf of the people who authorize them. Its id
 * is its slug, the same as `providerId`.
 *
 * With another `providerId`, the new provider is created first and the old one is deleted last. With the same, the old one
 * is deleted first: a workspace has one provider for each.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 * import * as pulumi from "@pulumi/pulumi";
 *
 * const tracker = new agentserver.OAuthProvider("tracker", {
 *   providerId: "tracker",
 *   name: "Issue tracker",
 *   clientId: "support-agent",
 *   clientSecret: new pulumi.Config().requireSecret("trackerClientSecret"),
 *   authUrl: "https://tracker.example.com/oauth/authorize",
 *   tokenUrl: "https://tracker.example.com/oauth/token",
 *   usesPkce: true,
 * });
 * export const trackerId = tracker.id;
 * ```
 */
export class OAuthProvider extends AgentServerResource {
  /** @internal */
  protected static override readonly kind = RESOURCE_TYPES.OAuthProvider;

  /** The slug; the same as `id`. */
  declare readonly providerId: Output<string>;
  /** The display name. */
  declare readonly name: Output<string>;
  /** The id of the client. */
  declare readonly clientId: Output<string>;
  /** The client's secret. Always secret. Null where the program does not set it, and after `get`. */
  declare readonly clientSecret: Output<string | null>;
  /** The URL of the authorization endpoint. */
  declare readonly authUrl: Output<string>;
  /** The URL of the token endpoint. */
  declare readonly tokenUrl: Output<string>;
  /** Whether PKCE is used; null where the program does not set it. */
  declare readonly usesPkce: Output<boolean | null>;
  /** `S256` or `plain`; null where the program does not set it. */
  declare readonly codeChallengeMethod: Output<string | null>;
  /** `microsoft`, `salesforce` or `slack`; null where the program does not set it. */
  declare readonly providerType: Output<string | null>;
  /** `none`, `client_secret_basic` or `client_secret_post`; null where the program does not set it. */
  declare readonly tokenEndpointAuthMethod: Output<string | null>;
  /** Whether an existing provider is adopted; null where the program does not set it. */
  declare readonly adoptExisting: Output<boolean | null>;
  /** The workspace that the provider was created in, a UUID. */
  declare readonly tenantId: Output<string>;
  /** The URL of the control plane that the provider lives on. */
  declare readonly baseUrl: Output<string>;
  /** The organization that owns the provider. */
  declare readonly organizationId: Output<string>;
  /** The MCP server that the provider was discovered from; null where there is none. */
  declare readonly mcpServerUrl: Output<string | null>;
  /** Whether the service has registered the client by itself (RFC 7591); null where it does not report it. */
  declare readonly isDynamicClient: Output<boolean | null>;
  /** ISO 8601. */
  declare readonly createdAt: Output<string>;
  /** ISO 8601. */
  declare readonly updatedAt: Output<string>;

  /**
   * Declares an OAuth provider. The preview reports all wrong arguments at once. `args` is undefined only where
   * `options.id` names a provider to read, as `get` does.
   */
  constructor(name: string, args: OAuthProviderArgs | undefined, options?: CustomResourceOptions) {
    super(name, { ...EVERY_OUTPUT, ...args }, options);
  }

  /** Reads an existing OAuth provider by its slug, without managing it. Its client secret is not read. */
  static get(name: string, id: Input<ID>, options?: CustomResourceOptions): OAuthProvider {
    return new this(name, undefined, { ...options, id });
  }
}

const EVERY_OUTPUT: OutputsOf<OAuthProvider> = {
  providerId: undefined,
  name: undefined,
  clientId: undefined,
  clientSecret: undefined,
  authUrl: undefined,
  tokenUrl: undefined,
  usesPkce: undefined,
  codeChallengeMethod: undefined,
  providerType: undefined,
  tokenEndpointAuthMethod: undefined,
  adoptExisting: undefined,
  tenantId: undefined,
  baseUrl: undefined,
  organizationId: undefined,
  mcpServerUrl: undefined,
  isDynamicClient: undefined,
  createdAt: undefined,
  updatedAt: undefined,
};
