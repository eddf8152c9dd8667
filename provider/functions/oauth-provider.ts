import type { Output } from "@pulumi/pulumi";
import {
  defineFunction,
  type FunctionOptions,
  type OutputArgs,
  type OutputFunctionOptions,
} from "./define-function";
import * as declarations from "./declarations/oauth-provider";
import type { GetOAuthProviderArgs, GetOAuthProviderResult } from "./declarations/oauth-provider";

export type * from "./declarations/oauth-provider";

/**
 * Gets an OAuth provider by its slug.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const { clientId } = await agentserver.getOAuthProvider({ providerId: "tracker" });
 *   return { clientId };
 * };
 * ```
 */
export function getOAuthProvider(
  args: GetOAuthProviderArgs,
  options?: FunctionOptions,
): Promise<GetOAuthProviderResult> {
  return getForms.direct(args, options);
}

/**
 * The output form of `getOAuthProvider`: the slug may be an output.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const tracker = agentserver.getOAuthProviderOutput({ providerId: "tracker" });
 * export const clientId = tracker.clientId;
 * ```
 */
export function getOAuthProviderOutput(
  args: OutputArgs<GetOAuthProviderArgs>,
  options?: OutputFunctionOptions,
): Output<GetOAuthProviderResult> {
  return getForms.output(args, options);
}

/**
 * Lists the OAuth providers of the workspace.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const providers = await agentserver.listOAuthProviders();
 *   return { slugs: providers.map(({ providerId }) => providerId) };
 * };
 * ```
 */
export function listOAuthProviders(options?: FunctionOptions): Promise<GetOAuthProviderResult[]> {
  return listForms.direct({}, options);
}

/**
 * The output form of `listOAuthProviders`.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const providers = agentserver.listOAuthProvidersOutput();
 * export const slugs = providers.apply((all) => all.map(({ providerId }) => providerId));
 * ```
 */
export function listOAuthProvidersOutput(
  options?: OutputFunctionOptions,
): Output<GetOAuthProviderResult[]> {
  return listForms.output({}, options);
}

const getForms = defineFunction(declarations.getOAuthProvider);
const listForms = defineFunction(declarations.listOAuthProviders);
