import type {
  CreateDeployment,
  Listener,
  Source,
  SourceConfigRequest,
  SourceRevisionConfig,
  UpdateDeployment,
} from "../sdk/schema";
import type { Hosting } from "./platform";

/** The fields that are not for every source (contract, "SourceConfig", "SourceRevisionConfig"). */
const SOURCES_OF: Readonly<Record<string, readonly Source[]>> = {
  "source_config.integration_id": ["git_host"],
  "source_config.repo_url": ["git_host"],
  // The contract says git_host only; an internal_container is created with it (public service, "Create").
  "source_config.deployment_type": ["git_host", "internal_container"],
  "source_config.build_on_push": ["git_host"],
  "source_config.custom_url": ["external_container"],
  "source_config.resource_spec": ["external_container"],
  "source_config.listener_id": ["external_container"],
  "source_config.listener_config": ["external_container"],
  "source_revision_config.repo_ref": ["git_host"],
  "source_revision_config.graph_config_path": ["git_host"],
  "source_revision_config.image_uri": ["external_container", "internal_container"],
};

const REQUIRED: Readonly<Record<Source, readonly string[]>> = {
  git_host: [
    "source_config.integration_id",
    "source_config.repo_url",
    "source_config.deployment_type",
    "source_revision_config.repo_ref",
    "source_revision_config.graph_config_path",
  ],
  external_container: ["source_revision_config.image_uri"],
  internal_container: [],
};

const IMMUTABLE = [
  "name",
  "source",
  "source_config.integration_id",
  "source_config.repo_url",
  "source_config.deployment_type",
  "source_config.listener_id",
  "source_config.listener_config.k8s_namespace",
];

const REFUSED_BY: Readonly<Record<Hosting, Source>> = {
  cloud: "external_container",
  "self-hosted": "git_host",
};

/** What of a deployment is checked together. */
interface Tracking {
  source_config: Pick<SourceConfigRequest, "build_on_push">;
  source_revision_config: Pick<SourceRevisionConfig, "repo_ref">;
}

/** What the rules have to know beside the request; `undefined` is "there is none with this id". */
export interface Surroundings {
  readonly hosting: Hosting | undefined;
  readonly integration: unknown;
  readonly listener: Listener | undefined;
}

/** Every rule across fields that a create breaks; none when it may go on. */
export function problemsOfCreate(body: CreateDeployment, around: Surroundings): string[] {
  const { source, source_config: config } = body;
  return [
    ...(around.hosting && REFUSED_BY[around.hosting] === source
      ? [`source ${source} is not available with ${around.hosting} hosting`]
      : []),
    ...REQUIRED[source]
      .filter((path) => !valueAt(body, path))
      .map((path) => `${path} is required for source ${source}`),
    ...foreignFields(source, body),
    ...pushProblems(body),
    ...(config.integration_id && !around.integration
      ? [`integration ${config.integration_id} not found`]
      : []),
    ...listenerProblems(config, around.listener),
  ];
}

/** Every rule that a PATCH breaks; `merged` is the deployment as it would be afterwards. */
export function problemsOfUpdate(
  source: Source,
  body: UpdateDeployment,
  merged: Tracking,
): string[] {
  const immutable = IMMUTABLE.filter((path) => isGiven(valueAt(body, path)));
  return [
    ...immutable.map((path) => `${path} cannot be changed after creation`),
    ...foreignFields(source, body, immutable),
    ...REQUIRED[source]
      .filter((path) => valueAt(body, path) === "")
      .map((path) => `${path} must not be empty`),
    ...pushProblems(merged),
  ];
}

/** Whether a PATCH makes a new revision (contract, "States and transitions"; `secrets: []` changes nothing). */
export function makesRevision(body: UpdateDeployment): boolean {
  const { repo_ref, graph_config_path, image_uri } = body.source_revision_config ?? {};
  return (
    [repo_ref, graph_config_path, image_uri, body.source_config?.resource_spec].some(isGiven) ||
    (body.secrets ?? []).length > 0
  );
}

function foreignFields(source: Source, body: object, known: readonly string[] = []): string[] {
  return Object.entries(SOURCES_OF)
    .filter(([path, sources]) => !known.includes(path) && !sources.includes(source))
    .filter(([path]) => isUsed(valueAt(body, path)))
    .map(([path, sources]) => `${path} is for source ${sources.join(" and ")} only, not ${source}`);
}

function pushProblems({ source_config, source_revision_config }: Tracking): string[] {
  return source_config.build_on_push && source_revision_config.repo_ref?.startsWith("refs/tags/")
    ? ["source_config.build_on_push cannot be enabled while repo_ref is a tag (refs/tags/…)"]
    : [];
}

function listenerProblems(config: SourceConfigRequest, listener: Listener | undefined): string[] {
  if (config.listener_id && !listener) return [`listener ${config.listener_id} not found`];
  const namespace = config.listener_config?.k8s_namespace;
  if (!isGiven(namespace)) return [];
  if (!listener) return ["source_config.listener_config needs source_config.listener_id"];
  const namespaces = listener.compute_config.k8s_namespaces ?? [];
  return namespaces.includes(namespace)
    ? []
    : [`listener ${listener.id} has no namespace '${namespace}', only ${namespaces.join(", ")}`];
}

function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined;
}

/** `build_on_push: false` is what every source answers with, so it may come back. */
function isUsed(value: unknown): boolean {
  return isGiven(value) && value !== false;
}

function valueAt(body: object, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (within, part) =>
        typeof within === "object" && within !== null ? Reflect.get(within, part) : undefined,
      body,
    );
}
