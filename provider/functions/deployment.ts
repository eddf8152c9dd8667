import type { Output } from "@pulumi/pulumi";
import type { ControlPlane, Deployment, SourceConfig, SourceRevisionConfig } from "../../sdk";
import { type Camel, camelKeys } from "../inputs/casing";
import { toServiceOutputs } from "../deployment/service-outputs";
import { type Present, present } from "../inputs/props";
import { chooseOne } from "./choose";
import { collect } from "./collect";
import { type LookUpOptions, lookUp, type OutputArgs } from "./function";

/** Which deployment: by its id, or by its whole name. */
export type GetDeploymentArgs =
  | { readonly id: string; readonly name?: never }
  | { readonly name: string; readonly id?: never };

/** Which deployments: those that pass every filter (contract, "GET /v2/deployments"). */
export interface ListDeploymentsArgs {
  /** Part of the name. */
  readonly nameContains?: string;
  /** The deployment's own status, for example `READY`. */
  readonly status?: string;
  /** Whether a listener places it. */
  readonly remoteReconciled?: boolean;
  readonly tagValueIds?: readonly string[];
  readonly imageVersion?: string;
  readonly deploymentType?: "dev_free" | "dev" | "prod";
  readonly deploymentIds?: readonly string[];
}

/** A deployment as the service has it; what `Deployment` puts out under the same names is the same here. */
export interface GetDeploymentResult {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly sourceConfig: Present<Camel<SourceConfig>>;
  /** What the latest revision is made of. */
  readonly sourceRevisionConfig: Present<Camel<SourceRevisionConfig>>;
  /**
   * Names of the environment variables, sorted; null where the service does not say. Their values are left out: the
   * service answers with all of them in clear, and a look-up's result lies open in the state and in outputs.
   */
  readonly variables: readonly string[] | null;
  /** The workspace that owns it. */
  readonly tenantId: string;
  /** The control plane that it lives on. */
  readonly baseUrl: string;
  /** The deployment's own status; it says nothing of the newest revision. */
  readonly status: string;
  /** Where the agent server answers; null while the service has not said. */
  readonly url: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
  readonly imageVersion: string | null;
  readonly latestRevisionId: string | null;
  /** The revision that serves. */
  readonly activeRevisionId: string | null;
}

/**
 * Looks up a deployment by id or by name. The whole name counts; where no deployment has it, the error names the nearest.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const { url, sourceRevisionConfig } = await agentserver.getDeployment({ name: "support" });
 *   return { url, ref: sourceRevisionConfig.repoRef };
 * };
 * ```
 */
export function getDeployment(
  args: GetDeploymentArgs,
  options?: LookUpOptions,
): Promise<GetDeploymentResult> {
  return one.plain(args, options);
}

/**
 * Looks up a deployment by an id or a name that may be an output. Unknown in a preview while the argument is, or while
 * the resource is not made that it comes from.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * const eu = new agentserver.Provider("eu", { baseUrl: "https://eu.example.com" });
 * export const url = agentserver.getDeploymentOutput({ name: "support" }, { provider: eu }).url;
 * ```
 */
export function getDeploymentOutput(
  args: OutputArgs<GetDeploymentArgs>,
  options?: LookUpOptions,
): Output<GetDeploymentResult> {
  return one.output(args, options);
}

/**
 * Looks up every deployment that passes the filters, newest first.
 *
 * @example
 * ```ts
 * import * as agentserver from "pulumi-agentserver";
 *
 * export = async () => {
 *   const deployments = await agentserver.listDeployments({ deploymentType: "prod" });
 *   return { urls: deployments.map(({ url }) => url) };
 * };
 * ```
 */
export function listDeployments(
  args: ListDeploymentsArgs = {},
  options?: LookUpOptions,
): Promise<GetDeploymentResult[]> {
  return every.plain(args, options);
}

/** As `listDeployments`, with filters that may be outputs. */
export function listDeploymentsOutput(
  args: OutputArgs<ListDeploymentsArgs> = {},
  options?: LookUpOptions,
): Output<GetDeploymentResult[]> {
  return every.output(args, options);
}

const one = lookUp({
  name: "getDeployment",
  schema: ({ GetDeployment }) => GetDeployment,
  find: async ({ id, name = "" }, { client, settings: { baseUrl, workspaceId } }) => {
    if (id !== undefined) return toResult(await client.deployments.get(id), baseUrl);
    const candidates = await candidatesFor(client, name);
    const kind = { plural: "deployments", label: "name", workspaceId } as const;
    return toResult(await chooseOne(candidates, kind, { label: name }), baseUrl);
  },
});

/** The service's filter only narrows; where it leaves nothing of that name, the nearest one may be anywhere. */
async function candidatesFor(client: ControlPlane, name: string): Promise<Deployment[]> {
  const narrowed = await collect(client.deployments.list({ name_contains: name }));
  return narrowed.some((deployment) => deployment.name === name)
    ? narrowed
    : collect(client.deployments.list());
}

const every = lookUp({
  name: "listDeployments",
  schema: ({ ListDeployments }) => ListDeployments,
  find: async (filters, { client, settings }) =>
    (await collect(client.deployments.list(filters))).map((deployment) =>
      toResult(deployment, settings.baseUrl),
    ),
});

function toResult(deployment: Deployment, baseUrl: string): GetDeploymentResult {
  return {
    id: deployment.id,
    source: deployment.source,
    sourceConfig: present(camelKeys(deployment.source_config)),
    sourceRevisionConfig: present(camelKeys(deployment.source_revision_config)),
    variables: deployment.secrets?.map(({ name }) => name).toSorted() ?? null,
    ...toServiceOutputs(deployment, baseUrl),
  };
}
