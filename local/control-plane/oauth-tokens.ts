import type { UpdateOAuthToken } from "../../sdk/schema";
import type { Platform } from "./platform";
import { notFound } from "./problems";
import type { StoredToken, Workspace } from "../store";

/** The token that an authentication without a user's help returns: of the id, or the default one before others. */
export function findUsable(
  { store, clock }: Platform,
  workspace: Workspace,
  wanted: { readonly provider: string; readonly scopes: readonly string[]; readonly id?: string },
): StoredToken | undefined {
  const now = clock.now();
  return store.oauthTokens
    .list(workspace.id, wanted.provider)
    .filter(({ token }) => wanted.id === undefined || token.id === wanted.id)
    .filter(({ token }) => wanted.scopes.every((scope) => token.scopes.includes(scope)))
    .filter(({ token }) => token.expires_at === null || Date.parse(token.expires_at) > now)
    .toSorted((a, b) => Number(b.token.is_default) - Number(a.token.is_default))[0];
}

/** Changes the members that are set and not null; throws 404. */
export function updateToken(
  { store, clock }: Platform,
  workspace: Workspace,
  id: string,
  body: UpdateOAuthToken,
): StoredToken["token"] {
  const stored = store.oauthTokens.get(workspace.id, id);
  if (!stored) throw notFound("OAuth token", id);
  const { provider_account_label, is_default } = body;
  const token = {
    ...stored.token,
    provider_account_label: provider_account_label ?? stored.token.provider_account_label,
    is_default: is_default ?? stored.token.is_default,
    updated_at: clock.stamp(),
  };
  store.oauthTokens.put(workspace.id, { ...stored, token });
  return token;
}

/** Throws 404. */
export function deleteToken({ store }: Platform, workspace: Workspace, id: string): void {
  if (!store.oauthTokens.get(workspace.id, id)) throw notFound("OAuth token", id);
  store.oauthTokens.remove(workspace.id, id);
}
