import { z } from "zod";
import { HttpUrl } from "./url";

/**
 * Body of `POST /v2/auth/providers`. The contract names the auth service's group and shows nothing of it: all of this
 * file is the public service's description. `client_secret` is write-only.
 */
export const CreateOAuthProvider = z.object({
  provider_id: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9_-]*$/,
      "must be a slug: letters, digits, dashes and underscores",
    ),
  name: z.string().min(1),
  client_id: z.string().min(1),
  client_secret: z.string().nullish(),
  auth_url: HttpUrl,
  token_url: HttpUrl,
  uses_pkce: z.boolean().default(false),
  code_challenge_method: z.string().nullish(),
  provider_type: z.enum(["microsoft", "salesforce", "slack"]).nullish(),
  token_endpoint_auth_method: z
    .enum(["none", "client_secret_basic", "client_secret_post"])
    .nullish(),
});
export type CreateOAuthProvider = z.input<typeof CreateOAuthProvider>;

/** Body of `PATCH /v2/auth/providers/{provider_id}`: null and absent mean "leave as it is". */
export const UpdateOAuthProvider = z.object({
  name: z.string().min(1).nullish(),
  client_id: z.string().min(1).nullish(),
  client_secret: z.string().nullish(),
  auth_url: HttpUrl.nullish(),
  token_url: HttpUrl.nullish(),
  uses_pkce: z.boolean().nullish(),
  code_challenge_method: z.string().nullish(),
});
export type UpdateOAuthProvider = z.infer<typeof UpdateOAuthProvider>;

/** An OAuth provider as the auth service returns it. */
export const OAuthProvider = z.object({
  id: z.string().min(1),
  organization_id: z.string().default(""),
  provider_id: z.string().min(1),
  name: z.string().default(""),
  client_id: z.string().default(""),
  auth_url: z.string().default(""),
  token_url: z.string().default(""),
  uses_pkce: z.boolean().optional(),
  code_challenge_method: z.string().nullish(),
  created_at: z.string().default(""),
  updated_at: z.string().default(""),
  provider_type: z.string().nullish(),
  mcp_server_url: z.string().nullish(),
  token_endpoint_auth_method: z.string().nullish(),
  is_dynamic_client: z.boolean().nullish(),
});
export type OAuthProvider = z.infer<typeof OAuthProvider>;

/** Response to `GET /v2/auth/providers`: a bare array. */
export const OAuthProvidersList = z.array(OAuthProvider);
