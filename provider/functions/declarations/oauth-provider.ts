import type { OAuthProvider } from "../../../sdk";
import type { Settings } from "../../../settings/settings";
import { camelKeys } from "../../arguments/casing";
import type { FunctionDeclaration } from "../invoke";

/** Arguments of `getOAuthProvider`. */
export interface GetOAuthProviderArgs {
  /** The slug of the OAuth provider. */
  readonly providerId: string;
}

/** An OAuth provider on the service, which never reports the client secret. */
export interface GetOAuthProviderResult {
  /** The same as `providerId`; `OAuthProvider.get` takes it. */
  readonly id: string;
  /** The slug. */
  readonly providerId: string;
  /** The name that people see. */
  readonly name: string;
  /** The id of the client at the OAuth provider. */
  readonly clientId: string;
  /** The URL of the authorization endpoint. */
  readonly authUrl: string;
  /** The URL of the token endpoint. */
  readonly tokenUrl: string;
  /** Whether the client uses PKCE. */
  readonly usesPkce: boolean;
  /** `S256` or `plain`. */
  readonly codeChallengeMethod: string | null;
  /** For example `slack`. */
  readonly providerType: string | null;
  /** `none`, `client_secret_basic` or `client_secret_post`. */
  readonly tokenEndpointAuthMethod: string | null;
  /** The workspace of the settings. */
  readonly tenantId: string;
  /** The URL of the control plane that the OAuth provider lives on. */
  readonly baseUrl: string;
  /** The organization that owns it. */
  readonly organizationId: string;
  /** The MCP server that it was discovered from. */
  readonly mcpServerUrl: string | null;
  /** Whether the service registered the client itself. */
  readonly isDynamicClient: boolean | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

export const getOAuthProvider: FunctionDeclaration<GetOAuthProviderArgs, GetOAuthProviderResult> = {
  name: "getOAuthProvider",
  service: "control plane",
  list: undefined,
  schema: ({ wire }) => ({ providerId: wire.CreateOAuthProvider.shape.provider_id }),
  subject: ({ providerId }) => providerId,
  find: async ({ providerId }, { client, settings }) =>
    toResult(await client.oauthProviders.get(providerId), settings),
};

export const listOAuthProviders: FunctionDeclaration<object, GetOAuthProviderResult[]> = {
  name: "listOAuthProviders",
  service: "control plane",
  list: "providers",
  schema: () => ({}),
  find: async (_, { client, settings }) =>
    (await Array.fromAsync(client.oauthProviders.list())).map((provider) =>
      toResult(provider, settings),
    ),
};

function toResult(
  provider: OAuthProvider,
  { baseUrl, workspaceId: tenantId }: Settings,
): GetOAuthProviderResult {
  return {
    ...camelKeys(provider),
    id: provider.provider_id,
    usesPkce: provider.uses_pkce ?? false,
    codeChallengeMethod: provider.code_challenge_method ?? null,
    providerType: provider.provider_type ?? null,
    tokenEndpointAuthMethod: provider.token_endpoint_auth_method ?? null,
    mcpServerUrl: provider.mcp_server_url ?? null,
    isDynamicClient: provider.is_dynamic_client ?? null,
    tenantId,
    baseUrl,
  };
}
