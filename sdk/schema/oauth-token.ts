import { z } from "zod";

/**
 * Body of `POST /v2/auth/authenticate`. The contract names the auth service's group and shows nothing of it: all of this
 * file is the public service's description.
 */
export const Authenticate = z.object({
  /** The slug of an OAuth provider. */
  provider: z.string().min(1),
  scopes: z.array(z.string()),
  user_id: z.string().nullish(),
  ls_user_id: z.string().nullish(),
  agent_id: z.string().nullish(),
  use_agent_builder_public_oauth: z.boolean().default(false),
  force_new: z.boolean().default(false),
  token_id: z.string().toLowerCase().nullish(),
  is_default: z.boolean().default(true),
});
export type Authenticate = z.input<typeof Authenticate>;

/** Response to `POST /v2/auth/authenticate`: a token, or the URL that a user must open. */
export const Authentication = z.object({
  /** `completed` or `pending`; newer versions also have `connection_required` and `token_expired`. */
  status: z.string(),
  url: z.string().nullish(),
  auth_id: z.string().nullish(),
  token: z.string().nullish(),
  user_id: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
export type Authentication = z.infer<typeof Authentication>;

/** Response to `GET /v2/auth/wait/{auth_id}`. */
export const AuthenticationResult = z.object({
  /** `completed`, `pending`, `timeout` or `not_found`. */
  status: z.string(),
  token: z.string().nullish(),
});
export type AuthenticationResult = z.infer<typeof AuthenticationResult>;

/** A token that the auth service keeps, without its value. */
export const OAuthToken = z.object({
  id: z.string().min(1),
  provider_id: z.string(),
  provider_account_label: z.string().nullish(),
  scopes: z.array(z.string()),
  expires_at: z.string().nullish(),
  is_default: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type OAuthToken = z.infer<typeof OAuthToken>;

/** Response to `GET /v2/auth/tokens`: a bare array. */
export const OAuthTokensList = z.array(OAuthToken);

/** Response to `GET /v2/auth/tokens/exists`. */
export const OAuthTokenExists = z.object({ has_token: z.boolean() });

/** Body of `PATCH /v2/auth/tokens/{id}/metadata`: null and absent mean "leave as it is". */
export const UpdateOAuthToken = z.object({
  provider_account_label: z.string().nullish(),
  is_default: z.boolean().nullish(),
});
export type UpdateOAuthToken = z.infer<typeof UpdateOAuthToken>;
