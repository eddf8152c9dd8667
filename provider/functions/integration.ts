import type { Output } from "@pulumi/pulumi";
import type { Integration } from "../../sdk";
import { type Camel, camelKeys } from "../inputs/casing";
import { chooseOne } from "./choose";
import { type LookUpOptions, lookUp, type OutputArgs } from "./function";

/** Which integration: by its id, by its whole name, or the only one there is. */
export interface GetIntegrationArgs {
  readonly id?: string;
  readonly name?: string;
}

/** A git host that the workspace may clone from; its `id` is what a deployment's `integrationId` names. */
export type GetIntegrationResult = Readonly<Camel<Integration>>;

/**
 * Looks up a git integration by id or name; without either the workspace must have exactly one.
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
export function getIntegration(
  args: GetIntegrationArgs = {},
  options?: LookUpOptions,
): Promise<GetIntegrationResult> {
  return one.plain(args, options);
}

/** As `getIntegration`, with an id or a name that may be an output. */
export function getIntegrationOutput(
  args: OutputArgs<GetIntegrationArgs> = {},
  options?: LookUpOptions,
): Output<GetIntegrationResult> {
  return one.output(args, options);
}

/** Looks up every git integration of the workspace. */
export function listIntegrations(options?: LookUpOptions): Promise<GetIntegrationResult[]> {
  return every.plain({}, options);
}

/** As `listIntegrations`. */
export function listIntegrationsOutput(options?: LookUpOptions): Output<GetIntegrationResult[]> {
  return every.output({}, options);
}

const one = lookUp({
  name: "getIntegration",
  schema: ({ GetIntegration }) => GetIntegration,
  find: async ({ id, name }, { client, settings: { workspaceId } }) => {
    const kind = { plural: "integrations", label: "name", workspaceId } as const;
    return chooseOne((await client.integrations.list()).map(camelKeys), kind, { id, label: name });
  },
});

const every = lookUp({
  name: "listIntegrations",
  schema: ({ ListAll }) => ListAll,
  find: async (_, { client }) => (await client.integrations.list()).map(camelKeys),
});
