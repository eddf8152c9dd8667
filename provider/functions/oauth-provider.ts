import type { Output } from "@pulumi/pulumi";
import type { OAuthProvider } from "../../sdk";
import type { Settings } from "../config/settings";
import { camelKeys } from "../inputs/casing";
import { defineFunction, type FunctionOptions, type OutputArgs } from "./define-function";

/** Which OAuth provider: by its slug. */
export interface GetOAuthProviderArgs {
  readonly providerId: string;
}

/** An OAuth provider as the service has it, which never reports its client secret. */
export interface GetOAuthProviderResult {
  /** The slug, by which `OAuthProvider.get` reads it too; the same as `providerId`. */
  readonly id: string;
  readonly providerId: string;
  /** What people see. */
  readonly name: string;
  readonly clientId: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly usesPkce: boolean;
  /** `S256` or `plain`. */
  readonly codeChallengeMethod: string | null;
  /** For example `slack`. */
  readonly providerType: string | null;
  /** `none`, `client_secret_basic` or `client_secret_post`. */
  readonly tokenEndpointAuthMethod: string | null;
  /** The workspace that it was looked up in. */
  readonly tenantId: string;
  /** The control plane that it lives on. */
  readonly baseUrl: string;
  /** The organization that owns it. */
  readonly organizationId: string;
  /** The MCP server that it was discovered from. */
  readonly mcpServerUrl: string | null;
  /** Whether the service has registered the client by itself. */
  readonly isDynamicClient: boolean | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/**
 * Gets an OAuth provider by its slug.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const tracker = agentserver.getOAuthProviderOutput({ providerId: "tracker" });
 * export const clientId = tracker.clientId;
 * ```
 */
export function getOAuthProvider(
  args: GetOAuthProviderArgs,
  options?: FunctionOptions,
): Promise<GetOAuthProviderResult> {
  return one.direct(args, options);
}

/** As `getOAuthProvider`, with a slug that may be an output. */
export function getOAuthProviderOutput(
  args: OutputArgs<GetOAuthProviderArgs>,
  options?: FunctionOptions,
): Output<GetOAuthProviderResult> {
  return one.output(args, options);
}

/** Lists the OAuth providers of the workspace. */
export function listOAuthProviders(options?: FunctionOptions): Promise<GetOAuthProviderResult[]> {
  return every.direct({}, options);
}

/** As `listOAuthProviders`. */
export function listOAuthProvidersOutput(
  options?: FunctionOptions,
): Output<GetOAuthProviderResult[]> {
  return every.output({}, options);
}

const one = defineFunction<GetOAuthProviderArgs, GetOAuthProviderResult>({
  name: "getOAuthProvider",
  service: "control plane",
  isList: false,
  schema: ({ wire }) => ({ providerId: wire.CreateOAuthProvider.shape.provider_id }),
  subject: ({ providerId }) => providerId,
  find: async ({ providerId }, { client, settings }) =>
    toResult(await client.oauthProviders.get(providerId), settings),
});

const every = defineFunction<object, GetOAuthProviderResult[]>({
  name: "listOAuthProviders",
  service: "control plane",
  isList: true,
  schema: () => ({}),
  find: async (_, { client, settings }) =>
    (await client.oauthProviders.list()).map((provider) => toResult(provider, settings)),
});

function toResult(
  provider: OAuthProvider,
  { baseUrl, workspaceId: tenantId }: Settings,
): GetOAuthProviderResult {
  return {
    ...camelKeys(provider),
    id: provider.provider_id,
    providerType: provider.provider_type ?? null,
    tokenEndpointAuthMethod: provider.token_endpoint_auth_method ?? null,
    mcpServerUrl: provider.mcp_server_url ?? null,
    isDynamicClient: provider.is_dynamic_client ?? null,
    tenantId,
    baseUrl,
  };
}
