import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { CreateOAuthProvider, UpdateOAuthProvider } from "../../sdk/schema";
import type { Platform } from "./platform";
import { notFound, problem } from "./problems";
import type { StoredProvider, Workspace } from "../store";

/** An OAuth provider as responses contain it. */
type OAuthProvider = StoredProvider["provider"];

/** Adds a provider; throws 409 when the workspace has one of this slug. */
export function createProvider(
  { store, clock }: Platform,
  workspace: Workspace,
  { client_secret = null, ...body }: z.output<typeof CreateOAuthProvider>,
): OAuthProvider {
  if (store.oauthProviders.get(workspace.id, body.provider_id))
    throw problem(409, `an OAuth provider '${body.provider_id}' exists already`);
  const at = clock.stamp();
  const provider: OAuthProvider = {
    ...body,
    id: randomUUID(),
    organization_id: workspace.id,
    // The public service's defaults.
    code_challenge_method: body.code_challenge_method ?? "S256",
    token_endpoint_auth_method: body.token_endpoint_auth_method ?? "client_secret_post",
    provider_type: body.provider_type ?? null,
    mcp_server_url: null,
    is_dynamic_client: false,
    created_at: at,
    updated_at: at,
  };
  store.oauthProviders.put(workspace.id, { provider, client_secret });
  return provider;
}

/** Throws 404. */
export function findProvider(
  { store }: Platform,
  workspace: Workspace,
  providerId: string,
): OAuthProvider {
  const found = store.oauthProviders.get(workspace.id, providerId);
  if (!found) throw notFound("OAuth provider", providerId);
  return found.provider;
}

/** Changes the members that are set and not null; throws 404. */
export function updateProvider(
  platform: Platform,
  workspace: Workspace,
  providerId: string,
  body: UpdateOAuthProvider,
): OAuthProvider {
  const { store, clock } = platform;
  const old = findProvider(platform, workspace, providerId);
  const { client_secret: kept = null } = store.oauthProviders.get(workspace.id, providerId) ?? {};
  const provider = {
    ...old,
    name: body.name ?? old.name,
    client_id: body.client_id ?? old.client_id,
    auth_url: body.auth_url ?? old.auth_url,
    token_url: body.token_url ?? old.token_url,
    uses_pkce: body.uses_pkce ?? old.uses_pkce,
    code_challenge_method: body.code_challenge_method ?? old.code_challenge_method,
    updated_at: clock.stamp(),
  };
  store.oauthProviders.put(workspace.id, { provider, client_secret: body.client_secret ?? kept });
  return provider;
}
