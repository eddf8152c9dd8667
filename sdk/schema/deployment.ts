import { z } from "zod";
import { DEPLOYMENT_TYPES } from "../dialect";
import { ResourceSpec } from "./resource-spec";
import { SourceRevisionConfig, SourceRevisionConfigRequest } from "./revision";
import { HttpUrl, RepoUrl } from "./url";

/** Sources of newer versions of the public service: answers may have them, and requests may not. */
const UNSUPPORTED: ReadonlyMap<unknown, string> = new Map([
  ["internal_source", "an upload of the code"],
  ["internal_template", "a template of the service"],
]);

/** Why a source is refused that others know. */
export function unsupportedSource(source: unknown): string | undefined {
  const what = UNSUPPORTED.get(source);
  return (
    what &&
    `can't be ${String(source)}, ${what}, which is not supported; use a git repository or an image`
  );
}

/** The source of a deployment's code (contract, "Deployment"). */
export const Source = z.enum(["git_host", "external_container", "internal_container"], {
  error: ({ input }) => unsupportedSource(input),
});
export type Source = z.infer<typeof Source>;

/** Contract, "SourceConfig"; which of them there are depends on the dialect. */
export const DeploymentType = z.enum(DEPLOYMENT_TYPES);
export type DeploymentType = z.infer<typeof DeploymentType>;

/** One environment variable of the deployment's container (contract, "Secret"). */
export const Secret = z.object({ name: z.string().min(1), value: z.string() });
export type Secret = z.infer<typeof Secret>;

/** A variable from a Kubernetes Secret of the deployment's namespace: newer versions of the public service. */
export const SecretReference = z.object({
  name: z.string().min(1),
  secret_name: z.string().min(1),
  secret_key: z.string().min(1),
});
export type SecretReference = z.infer<typeof SecretReference>;
/** Null and absent leave them; an empty list removes all. */
const secret_references = z.array(SecretReference).nullish();

/** Contract, "ListenerConfig". */
export const ListenerConfig = z.object({ k8s_namespace: z.string().nullish() });
export type ListenerConfig = z.infer<typeof ListenerConfig>;

/** The id of something else, in any case. */
const Id = z.guid().toLowerCase();

const sourceConfig = {
  integration_id: Id.nullish(),
  repo_url: z.string().nullish(),
  build_on_push: z.boolean().nullish(),
  custom_url: z.string().nullish(),
  listener_id: Id.nullish(),
  listener_config: ListenerConfig.nullish(),
  install_command: z.string().nullish(),
  build_command: z.string().nullish(),
};

/** The source in a request; every member may be omitted or null (contract, "SourceConfig"). */
export const SourceConfigRequest = z.object({
  ...sourceConfig,
  repo_url: RepoUrl.nullish(),
  custom_url: HttpUrl.nullish(),
  deployment_type: DeploymentType.nullish(),
  resource_spec: ResourceSpec.nullish(),
});
export type SourceConfigRequest = z.infer<typeof SourceConfigRequest>;

/**
 * The source in a response. A response is not validated: an unknown `deployment_type` and any URL are kept as strings, and
 * a resource spec keeps the fields that this release does not know, since an update has to send all of them again.
 */
export const SourceConfig = z.object({
  ...sourceConfig,
  deployment_type: z.string().nullish(),
  resource_spec: z.record(z.string(), z.unknown()).nullish(),
});
export type SourceConfig = z.infer<typeof SourceConfig>;

/**
 * The name of a deployment. The contract only says "string"; letters, digits and dashes, starting with a letter, are
 * what the public service accepts.
 */
export const DeploymentName = z
  .string()
  .regex(
    /^[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?$/,
    "must be letters, digits and inner dashes, starting with a letter",
  );

/**
 * Body of `POST /v2/deployments`. Which members are required is not shown in the contract: the public service's
 * description requires these five.
 */
export const CreateDeployment = z.object({
  name: DeploymentName,
  source: Source,
  source_config: SourceConfigRequest,
  source_revision_config: SourceRevisionConfigRequest,
  secrets: z.array(Secret),
  secret_references,
});
export type CreateDeployment = z.infer<typeof CreateDeployment>;

/**
 * Body of `POST /v2/deployments/{deployment_id}/revisions`: not in the contract, newer versions of the service take it.
 * Null and absent mean "as the deployment has it".
 */
export const CreateRevision = z.object({
  source_config: SourceConfigRequest.nullish(),
  source_revision_config: SourceRevisionConfigRequest.nullish(),
  secrets: z.array(Secret).nullish(),
  secret_references,
});
export type CreateRevision = z.infer<typeof CreateRevision>;

/**
 * Body of `PATCH /v2/deployments/{deployment_id}`: null and absent both mean "leave as it is". `name` and `source` are
 * known here so that the service can refuse them by name. `display_name` is not part of the contract: newer versions of the
 * service take it here, and not in a create.
 */
export const UpdateDeployment = z.object({
  name: z.string().nullish(),
  display_name: z.string().min(1).nullish(),
  source: z.string().nullish(),
  source_config: SourceConfigRequest.nullish(),
  source_revision_config: SourceRevisionConfigRequest.nullish(),
  secrets: z.array(Secret).nullish(),
  secret_references,
});
export type UpdateDeployment = z.infer<typeof UpdateDeployment>;

/**
 * A deployment as the control plane returns it (contract, "Deployment"). `status` is any string: an unknown one is kept.
 * `secrets`, or a value in it, may be absent, since some versions of the service omit them. `url` and `display_name` are not
 * part of the contract: newer versions of the service fill them, `url` the local platform too. Without the rest but an id and a name a client
 * goes on: a text that is not shown is empty (`readResponse`).
 */
export const Deployment = z.object({
  id: z.string().min(1),
  tenant_id: z.string().default(""),
  name: z.string(),
  display_name: z.string().nullish(),
  source: z.string().default(""),
  source_config: SourceConfig.default({}),
  source_revision_config: SourceRevisionConfig.default({}),
  secrets: z.array(Secret.extend({ value: z.string().nullish() })).nullish(),
  secret_references,
  status: z.string().default(""),
  created_at: z.string().default(""),
  updated_at: z.string().default(""),
  latest_revision_id: z.string().nullish(),
  active_revision_id: z.string().nullish(),
  image_version: z.string().nullish(),
  url: z.string().nullish(),
});
export type Deployment = z.infer<typeof Deployment>;

/** One page of deployments; `offset` is the next request's (contract, "DeploymentsList"). */
export const DeploymentsList = z.object({
  resources: z.array(Deployment),
  offset: z.int().default(0),
});
export type DeploymentsList = z.infer<typeof DeploymentsList>;
