import type { Output } from "@pulumi/pulumi";
import { camelKeys } from "../inputs/casing";
import { defineFunction, type FunctionOptions, type OutputArgs } from "./define-function";
import { findOne, notBoth } from "./list";

/** Arguments of `getIntegration`: an id or a name, or neither where the workspace has exactly one integration. */
export interface GetIntegrationArgs {
  /**
   * The id of the integration, a UUID.
   * @default the only integration
   */
  readonly id?: string;
  /**
   * The whole name of the integration.
   * @default the only integration
   */
  readonly name?: string;
}

/** A git host that the workspace may clone from. Its `id` is the `integrationId` of a deployment. */
export interface GetIntegrationResult {
  /** A UUID. */
  readonly id: string;
  /** The id of the installation at the git host. */
  readonly installationId: number;
  /** The name that people know the integration by. */
  readonly name: string;
}

/**
 * Gets a git integration by its id or its whole name, or the only one of the workspace.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const { id, name } = await agentserver.getIntegration();
 *   return { id, name };
 * };
 * ```
 */
export function getIntegration(
  args: GetIntegrationArgs = {},
  options?: FunctionOptions,
): Promise<GetIntegrationResult> {
  return one.direct(args, options);
}

/**
 * The output form of `getIntegration`: the id or the name may be an output.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const integrationId = agentserver.getIntegrationOutput().id;
 * const support = new agentserver.Deployment("support", {
 *   source: "git_host",
 *   sourceConfig: {
 *     integrationId,
 *     repoUrl: "https://git.example.com/acme/support.git",
 *     deploymentType: "dev",
 *   },
 *   sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
 * });
 * export const url = support.url;
 * ```
 */
export function getIntegrationOutput(
  args: OutputArgs<GetIntegrationArgs> = {},
  options?: FunctionOptions,
): Output<GetIntegrationResult> {
  return one.output(args, options);
}

/**
 * Lists the git integrations of the workspace.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const integrations = await agentserver.listIntegrations();
 *   return { names: integrations.map(({ name }) => name) };
 * };
 * ```
 */
export function listIntegrations(options?: FunctionOptions): Promise<GetIntegrationResult[]> {
  return every.direct({}, options);
}

/**
 * The output form of `listIntegrations`.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const integrations = agentserver.listIntegrationsOutput();
 * export const names = integrations.apply((all) => all.map(({ name }) => name));
 * ```
 */
export function listIntegrationsOutput(options?: FunctionOptions): Output<GetIntegrationResult[]> {
  return every.output({}, options);
}

const one = defineFunction<GetIntegrationArgs, GetIntegrationResult>({
  name: "getIntegration",
  service: "control plane",
  isList: false,
  schema: ({ uuid, text }) => ({ id: uuid.optional(), name: text.optional() }),
  rules: [notBoth("name")],
  subject: ({ id, name }) => id ?? name,
  async find({ id, name }, { client, settings: { workspaceId } }) {
    const integrations = (await client.integrations.list()).map(camelKeys);
    const kind = { plural: "integrations", label: "name", workspaceId } as const;
    return findOne(integrations, kind, { id, label: name });
  },
});

const every = defineFunction<object, GetIntegrationResult[]>({
  name: "listIntegrations",
  service: "control plane",
  isList: true,
  schema: () => ({}),
  find: async (_, { client }) => (await client.integrations.list()).map(camelKeys),
});
