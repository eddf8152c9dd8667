import { z } from "zod";
import { CreateOAuthProvider } from "../../sdk/schema";
import type { Difference } from "../resource/define-lifecycle";
import { differenceOf } from "../resource/difference";
import { defineArguments } from "../arguments/arguments";
import { caseless, url } from "../arguments/forms";

const wire = CreateOAuthProvider.shape;

/** The arguments of an `OAuthProvider`. Immutable is what the service's PATCH does not take. */
export const oauthProviderArguments = defineArguments({
  providerId: { schema: wire.provider_id, form: caseless, effect: "replace" },
  name: { schema: wire.name, effect: "settings" },
  clientId: { schema: wire.client_id, effect: "settings" },
  clientSecret: {
    // The wire's rules say nothing of an empty secret, which no authorization server gives out.
    schema: wire.client_secret.unwrap().unwrap().min(1).optional(),
    effect: "settings",
    insteadOfRemoving: "set the secret again, or another providerId, which replaces the provider",
  },
  authUrl: { schema: wire.auth_url, form: url, effect: "settings" },
  tokenUrl: { schema: wire.token_url, form: url, effect: "settings" },
  usesPkce: {
    schema: wire.uses_pkce.unwrap().optional(),
    effect: "settings",
    serviceDefault: false,
    insteadOfRemoving: "set false",
  },
  codeChallengeMethod: {
    schema: wire.code_challenge_method,
    effect: "settings",
    serviceDefault: "S256",
    insteadOfRemoving: "set S256, its default",
  },
  providerType: { schema: wire.provider_type, effect: "replace" },
  tokenEndpointAuthMethod: {
    schema: wire.token_endpoint_auth_method,
    effect: "replace",
    serviceDefault: "client_secret_post",
  },
  adoptExisting: { schema: z.boolean().optional(), effect: "none" },
});

/** The declared state of an OAuth provider, or the recorded one. */
export type Declared = ReturnType<typeof oauthProviderArguments.decode>;

/**
 * Compares a state with inputs. With another provider id the new provider is created first, so that whoever names it is
 * never without one. With the same it is deleted first: a workspace has one provider for each.
 */
export function difference(olds: Declared, news: Declared): Difference {
  return differenceOf(oauthProviderArguments.changes(olds, news), "providerId", {
    createdFirst: "the new provider is created first, and the old one is deleted last",
    deletedFirst: "deleted first, since a workspace has one provider for each providerId",
  });
}
