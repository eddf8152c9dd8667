import type {
  CreateDeployment,
  Listener,
  Secret,
  SecretReference,
  Source,
  SourceConfigRequest,
  SourceRevisionConfig,
  UpdateDeployment,
} from "../../sdk/schema";
import {
  IMMUTABLE_FIELDS,
  PREREQUISITES,
  REQUIRED_FIELDS,
  SOURCES_OF_FIELD,
  usesField,
} from "../../sdk/schema/source-rules";
import type { Dialect } from "../../sdk/dialect";
import type { Hosting } from "./platform";

const REFUSED_BY: Readonly<Record<Hosting, Source>> = {
  cloud: "external_container",
  "self-hosted": "git_host",
};

/** The members of a deployment that are checked together. */
interface Tracking {
  source_config: Pick<SourceConfigRequest, "build_on_push">;
  source_revision_config: Pick<SourceRevisionConfig, "repo_ref">;
}

/** A field or a source as the request's dialect calls it. */
type Spell = (contractName: string) => string;

/** The facts that the rules depend on besides the request; `undefined`: none has this id. */
export interface Surroundings {
  readonly dialect: Dialect;
  readonly hosting: Hosting | undefined;
  readonly integration: unknown;
  readonly listener: Listener | undefined;
}

/** Every rule across fields that a create violates. */
export function problemsOfCreate(body: CreateDeployment, around: Surroundings): string[] {
  const { source, source_config: config } = body;
  const spell = spellingOf(around.dialect);
  return [
    ...(around.hosting && REFUSED_BY[around.hosting] === source
      ? [`source ${spell(source)} is not available with ${around.hosting} hosting`]
      : []),
    ...REQUIRED_FIELDS[source]
      .filter((path) => !valueAt(body, path))
      .map((path) => `${spell(path)} is required for source ${spell(source)}`),
    ...foreignFields(source, body, spell),
    ...Object.entries(PREREQUISITES)
      .filter(([, needed]) => SOURCES_OF_FIELD[needed].includes(source))
      .filter(([path, needed]) => isGiven(valueAt(body, path)) && !valueAt(body, needed))
      .map(([path, needed]) => `${spell(path)} needs ${spell(needed)}`),
    ...refProblems(body),
    ...pushProblems(body),
    ...(config.integration_id && !around.integration
      ? [`integration ${config.integration_id} not found`]
      : []),
    ...listenerProblems(config, around.listener),
  ];
}

/** Every rule that a PATCH violates; `merged` is the deployment with its changes. */
export function problemsOfUpdate(
  source: Source,
  body: UpdateDeployment,
  merged: Tracking,
  dialect: Dialect,
): string[] {
  const spell = spellingOf(dialect);
  const immutable = IMMUTABLE_FIELDS.filter((path) => isGiven(valueAt(body, path)));
  return [
    ...immutable.map((path) => `${spell(path)} cannot be changed after creation`),
    ...foreignFields(source, body, spell, immutable),
    ...REQUIRED_FIELDS[source]
      .filter((path) => valueAt(body, path) === "")
      .map((path) => `${spell(path)} must not be empty`),
    ...refProblems(body),
    ...pushProblems(merged),
  ];
}

/** Whether a PATCH creates a revision (contract, "States and transitions"). */
export function makesRevision(body: UpdateDeployment, dialect: Dialect): boolean {
  const { repo_ref, graph_config_path, image_uri } = body.source_revision_config ?? {};
  return (
    [
      repo_ref,
      graph_config_path,
      image_uri,
      body.source_config?.resource_spec,
      body.secret_references,
    ].some(isGiven) || changesVariables(body, dialect)
  );
}

/** Whether a PATCH replaces the variables. The public service takes an empty list for none. */
export function changesVariables<Body extends Pick<UpdateDeployment, "secrets">>(
  body: Body,
  { clearsVariables }: Dialect,
): body is Body & { secrets: NonNullable<Body["secrets"]> } {
  return isGiven(body.secrets) && (clearsVariables || body.secrets.length > 0);
}

/** A variable has a value or a reference, one of them. */
export function namesSetTwice(
  secrets: readonly Secret[],
  references: readonly SecretReference[],
): string[] {
  const names = [...secrets, ...references].map(({ name }) => name);
  return references
    .filter(({ name }) => names.indexOf(name) !== names.lastIndexOf(name))
    .map(({ name }) => `variable ${name} of secret_references is set twice`);
}

function spellingOf({ fromContract }: Dialect): Spell {
  return (path) => path.split(".").map(fromContract.name).join(".");
}

function foreignFields(
  source: Source,
  body: object,
  spell: Spell,
  known: readonly string[] = [],
): string[] {
  return Object.entries(SOURCES_OF_FIELD)
    .filter(([path, sources]) => !known.includes(path) && !sources.includes(source))
    .filter(([path]) => usesField(valueAt(body, path)))
    .map(
      ([path, sources]) =>
        `${spell(path)} is for source ${sources.map(spell).join(" and ")} only, not ${spell(source)}`,
    );
}

const BRANCHES = "refs/heads/";

/** The contract knows two forms: a branch by its name alone, a tag by its full path. */
function refProblems({ source_revision_config }: Pick<UpdateDeployment, "source_revision_config">) {
  const ref = source_revision_config?.repo_ref ?? "";
  if (!ref.startsWith(BRANCHES)) return [];
  const name = ref.slice(BRANCHES.length);
  return [
    `source_revision_config.repo_ref '${ref}' is the path of a branch; set its name alone, '${name}'`,
  ];
}

/** Contract, "SourceRevisionConfig": nothing is pushed to a tag. */
export function pushProblems({ source_config, source_revision_config }: Tracking): string[] {
  return source_config.build_on_push && source_revision_config.repo_ref?.startsWith("refs/tags/")
    ? ["source_config.build_on_push cannot be enabled while repo_ref is a tag (refs/tags/…)"]
    : [];
}

function listenerProblems(config: SourceConfigRequest, listener: Listener | undefined): string[] {
  if (config.listener_id && !listener) return [`listener ${config.listener_id} not found`];
  const namespace = config.listener_config?.k8s_namespace;
  if (!isGiven(namespace) || !listener) return [];
  const namespaces = listener.compute_config.k8s_namespaces ?? [];
  return namespaces.includes(namespace)
    ? []
    : [`listener ${listener.id} has no namespace '${namespace}', only ${namespaces.join(", ")}`];
}

function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined;
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
