import type {
  ControlPlane,
  Deployment,
  DeploymentFilters,
  SourceConfig,
  SourceRevisionConfig,
} from "../../../sdk";
import type { DeploymentType } from "../../../sdk/dialect";
import type { Settings } from "../../../settings/settings";
import { toServiceOutputs } from "../../deployment/service/service-outputs";
import { type Camel, camelKeys, snakeKeys } from "../../arguments/casing";
import { type Present, present } from "../../arguments/props";
import { collect, findOne } from "../list";
import type { FunctionDeclaration } from "../invoke";

/** Arguments of `getDeployment`: the id of the deployment, a UUID, or its whole name. */
export type GetDeploymentArgs =
  | {
      /** The id of the deployment, a UUID. */
      readonly id: string;
      readonly name?: never;
    }
  | {
      /** The whole name of the deployment. */
      readonly name: string;
      readonly id?: never;
    };

/** Arguments of `listDeployments`: the deployments match every filter that is set (contract, "GET /v2/deployments"). */
export interface ListDeploymentsArgs {
  /**
   * A part of the name.
   * @default any
   */
  readonly nameContains?: string | undefined;
  /**
   * The deployment's own status, for example `READY`.
   * @default any
   */
  readonly status?: string | undefined;
  /**
   * Whether a listener places the deployment.
   * @default any
   */
  readonly remoteReconciled?: boolean | undefined;
  /**
   * Ids of tag values.
   * @default any
   */
  readonly tagValueIds?: readonly string[] | undefined;
  /**
   * The version of the image.
   * @default any
   */
  readonly imageVersion?: string | undefined;
  /**
   * The deployment type; `dev_zero` and `dev_free_zero` in the dialect `langsmith` alone.
   * @default any
   */
  readonly deploymentType?: DeploymentType | undefined;
  /**
   * Ids of deployments, UUIDs.
   * @default any
   */
  readonly deploymentIds?: readonly string[] | undefined;
}

/** A deployment on the service. Members that are outputs of `Deployment` too have the same values. */
export interface GetDeploymentResult {
  /** A UUID. */
  readonly id: string;
  /** The whole name. */
  readonly name: string;
  /** `git_host`, `external_container` or `internal_container`. */
  readonly source: string;
  /** The configuration that all revisions share. */
  readonly sourceConfig: Present<Camel<SourceConfig>>;
  /** The source of the latest revision. */
  readonly sourceRevisionConfig: Present<Camel<SourceRevisionConfig>>;
  /**
   * The names of the environment variables, sorted; null where the service does not report them. Their values are left
   * out: the service returns them in plain text, and the result of a function is not secret.
   */
  readonly variables: readonly string[] | null;
  /** The workspace that owns the deployment, a UUID. */
  readonly tenantId: string;
  /** The URL of the control plane that the deployment lives on. */
  readonly baseUrl: string;
  /** The deployment's own status, for example `READY`. It is not that of the newest revision. */
  readonly status: string;
  /** The URL of the agent server; null until the service reports it. */
  readonly url: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
  /** Null where the service reports none. */
  readonly imageVersion: string | null;
  /** The newest revision, whether it serves requests or not. */
  readonly latestRevisionId: string | null;
  /** The revision that serves requests. */
  readonly activeRevisionId: string | null;
}

export const getDeployment: FunctionDeclaration<GetDeploymentArgs, GetDeploymentResult> = {
  name: "getDeployment",
  service: "control plane",
  list: undefined,
  schema: ({ uuid, text }) => ({ id: uuid.optional(), name: text.optional() }),
  rules: [
    {
      of: ["id", "name"],
      property: "",
      reason: "specify either id or name",
      isBroken: (args) => "id" in args === "name" in args,
    },
  ],
  subject: ({ id, name }) => id ?? name,
  async find({ id, name = "" }, { client, settings }) {
    const { workspaceId } = settings;
    if (id !== undefined) return toResult(await client.deployments.get(id), settings);
    // A preview of another language knows the derived name before the deployment is there.
    const advice = "if this program creates it, use its id, which is unknown until then";
    const kind = { plural: "deployments", label: "name", workspaceId, advice } as const;
    const candidates = await candidatesFor(client, name);
    return toResult(await findOne(candidates, kind, { label: name }), settings);
  },
};

/**
 * The service's filter matches parts of names. Where it leaves none of the whole name, any deployment may have a
 * similar one.
 */
async function candidatesFor(client: ControlPlane, name: string): Promise<Deployment[]> {
  const narrowed = await collect(client.deployments.list({ name_contains: name }));
  return narrowed.some((deployment) => deployment.name === name)
    ? narrowed
    : collect(client.deployments.list());
}

export const listDeployments: FunctionDeclaration<ListDeploymentsArgs, GetDeploymentResult[]> = {
  name: "listDeployments",
  service: "control plane",
  list: "deployments",
  schema: ({ z, wire, text, uuid }) => ({
    ...camelKeys(wire.DeploymentFilters.shape),
    // A service may read an empty filter as none, which every deployment passes.
    nameContains: text.optional(),
    tagValueIds: z.array(text).min(1).readonly().optional(),
    deploymentIds: z.array(uuid).min(1).readonly().optional(),
  }),
  async find(filters: ListDeploymentsArgs, { client, settings }) {
    const deployments = await collect(
      client.deployments.list(snakeKeys<DeploymentFilters>(filters)),
    );
    return deployments.map((deployment) => toResult(deployment, settings));
  },
};

function toResult(deployment: Deployment, settings: Settings): GetDeploymentResult {
  return {
    id: deployment.id,
    source: deployment.source,
    sourceConfig: present(camelKeys(deployment.source_config)),
    sourceRevisionConfig: present(camelKeys(deployment.source_revision_config)),
    variables: deployment.secrets?.map(({ name }) => name).toSorted() ?? null,
    ...toServiceOutputs(deployment, settings),
  };
}
