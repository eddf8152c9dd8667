import {
  defineFunction,
  type FunctionOptions,
  type OutputFunctionOptions,
} from "./define-function";
import * as declarations from "./declarations/oauth-provider";

export type * from "./declarations/oauth-provider";

const getForms = defineFunction(declarations.getOAuthProvider);
const listForms = defineFunction(declarations.listOAuthProviders);

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
 * @function
 */
export const getOAuthProvider = getForms.direct;

/**
 * The output form of `getOAuthProvider`: the slug may be an output.
 * @function
 */
export const getOAuthProviderOutput = getForms.output;

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
export const listOAuthProviders = (options?: FunctionOptions) => listForms.direct({}, options);

/** The output form of `listOAuthProviders`. */
export const listOAuthProvidersOutput = (options?: OutputFunctionOptions) =>
  listForms.output({}, options);
