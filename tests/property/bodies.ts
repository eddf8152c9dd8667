import fc from "fast-check";
import type { CreateDeployment, CreateListener, UpdateDeployment } from "../../sdk/schema";
import { recordOf } from "../../shared/records";

/** Any text that is kept. */
export const text = fc.string({ unit: "binary" }).filter((value) => !value.includes("\0"));
/** Any text that JSON can carry: NUL and halves of surrogate pairs are among it. */
const anyText = fc.string({ unit: fc.oneof(fc.constantFrom("é", "\0", "\ud800"), unit()) });
const words = fc.string({ minLength: 1, unit: unit() });
const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,10}[a-z0-9])?$/);
/** A member that is there, null or left out. */
const may = <Value>(value: fc.Arbitrary<Value>) => fc.option(value);
const key = fc.stringMatching(/^([a-z]{1,3}\.io\/)?[A-Za-z0-9][-A-Za-z0-9_.]{0,3}[A-Za-z0-9]$/);
const quantity = fc.constantFrom("2", "500m", "64Mi", ".5", "1e3");
const quantities = fc.dictionary(fc.constantFrom("cpu", "processCache"), quantity);
/** A path inside a repository, and a container image. */
const configPath = words.filter((path) => !/^\/|(^|\/)\.\.(\/|$)/.test(path));
const imageUri = words.filter((uri) => !/\s|^[a-z][\w+.-]*:\/\//i.test(uri));
/** An object of any form. zod leaves out `__proto__`, and JSON knows no `-0`. */
const freeForm = fc
  .dictionary(words, fc.jsonValue({ maxDepth: 2 }))
  .map((value): Record<string, unknown> => JSON.parse(JSON.stringify(value)))
  .filter((value) => !JSON.stringify(value).includes("__proto__"));
const amount = fc.nat();
const cores = (max: number) => fc.double({ min: 0.1, max, noNaN: true });

function unit() {
  return fc.constantFrom(...Array.from("abcXYZ019 -_./:@%'\"\\{}"));
}

const optional = { requiredKeys: [] };

const envVar = fc.oneof(
  fc.record({ name: fc.stringMatching(/^[A-Za-z_]\w{0,8}$/), value: may(text) }),
  fc.record({ name: fc.constant("FROM"), valueFrom: may(freeForm) }),
);
/** A container of one kind: no two of a pod have the same name. */
const container = (kind: "init" | "side") =>
  fc.record(
    {
      name: label.map((name) => `${kind}-${name}`),
      image: imageUri,
      imagePullPolicy: may(fc.constantFrom("Always" as const, "Never" as const)),
      command: may(fc.array(text, { maxLength: 2 })),
      env: may(fc.array(envVar, { maxLength: 2 })),
      envFrom: may(fc.array(freeForm, { maxLength: 2 })),
      resources: may(fc.record({ limits: may(quantities), requests: may(quantities) }, optional)),
      securityContext: may(freeForm),
      restartPolicy: may(fc.constantFrom("Always" as const, "OnFailure" as const)),
    },
    { requiredKeys: ["name", "image"] },
  );
const volume = fc.record({ emptyDir: may(freeForm), csi: may(freeForm) }, optional);

/** The limit is not below its request. */
const request = (of: "cpu" | "cache_cpu", spec: Record<string, unknown>): object => {
  const [cpu, limit] = [spec[of], spec[`${of}_limit`]];
  return typeof cpu === "number" && typeof limit === "number" && limit < cpu
    ? { [`${of}_limit`]: cpu }
    : {};
};

/** A resource spec that is accepted: its mounts name its volumes, and its containers have names of their own. */
const resourceSpec = fc
  .record(
    {
      min_scale: may(amount),
      cpu: may(cores(8)),
      cpu_limit: may(cores(16)),
      memory_mb: may(amount),
      queue_cpu: may(cores(8)),
      cache_cpu: may(cores(8)),
      cache_cpu_limit: may(cores(16)),
      cache_memory_mb: may(amount),
      db_cpu: may(fc.double({ min: 0, max: 1e6, noNaN: true })),
      executor_memory_mb: may(amount),
      labels: may(
        fc.dictionary(
          key,
          fc.oneof(
            fc.constant(""),
            key.filter((name) => !name.includes("/")),
          ),
        ),
      ),
      annotations: may(fc.dictionary(key, text)),
      service_account_name: may(text),
      image_pull_secrets: may(fc.array(fc.record({ name: words }), { maxLength: 2 })),
      init_containers: may(fc.array(container("init"), { maxLength: 1 })),
      sidecars: may(fc.array(container("side"), { maxLength: 1 })),
    },
    optional,
  )
  .map((spec) => ({ ...spec, ...request("cpu", spec), ...request("cache_cpu", spec) }))
  .chain((spec) =>
    fc.uniqueArray(label, { maxLength: 2 }).chain((names) =>
      fc.tuple(...names.map(() => volume)).map((volumes) => ({
        ...spec,
        volumes: volumes.map((one, index) => ({ ...one, name: names[index] ?? "" })),
        volume_mounts: names.map((name) => ({ name, mountPath: `/${name}` })),
      })),
    ),
  );

const secrets = fc.uniqueArray(fc.record({ name: words, value: text }), {
  maxLength: 3,
  selector: ({ name }) => name,
});

/** The things of a workspace that bodies can name. */
export interface Surroundings {
  readonly integrationId: string;
  readonly listenerId: string;
}

const deploymentName = fc.stringMatching(/^[A-Za-z]([A-Za-z0-9-]{0,9}[A-Za-z0-9])?$/);

const branch = fc.stringMatching(/^[a-z]{1,8}$/);
const fromGit = ({ integrationId }: Surroundings): fc.Arbitrary<CreateDeployment> =>
  fc.record({
    name: deploymentName,
    source: fc.constant("git_host" as const),
    source_config: fc.record(
      {
        integration_id: fc.constant(integrationId),
        repo_url: fc.webUrl(),
        deployment_type: fc.constantFrom("dev_free" as const, "dev" as const, "prod" as const),
        build_on_push: may(fc.boolean()),
        install_command: may(text),
        build_command: may(text),
        resource_spec: fc.constant(null),
      },
      { requiredKeys: ["integration_id", "repo_url", "deployment_type"] },
    ),
    source_revision_config: fc.record({ repo_ref: branch, graph_config_path: configPath }),
    secrets,
  });
const fromImage = ({ listenerId }: Surroundings): fc.Arbitrary<CreateDeployment> =>
  fc.record({
    name: deploymentName,
    source: fc.constant("external_container" as const),
    source_config: fc
      .record(
        {
          custom_url: may(fc.webUrl()),
          resource_spec: may(resourceSpec),
          listener_id: fc.constant(listenerId),
          listener_config: may(
            fc.record({ k8s_namespace: may(fc.constantFrom("default", "agents")) }, optional),
          ),
        },
        optional,
      )
      .filter(({ listener_id, listener_config }) => listener_id !== undefined || !listener_config),
    source_revision_config: fc.record({ image_uri: imageUri }),
    secrets,
  });
const internal: fc.Arbitrary<CreateDeployment> = fc.record({
  name: deploymentName,
  source: fc.constant("internal_container" as const),
  source_config: fc.record({ deployment_type: may(fc.constant("dev" as const)) }, optional),
  source_revision_config: fc.record({ image_uri: may(imageUri) }, optional),
  secrets,
});

/** Bodies of creates that are accepted once the name is made a new one. */
export const createDeployment = (around: Surroundings) =>
  fc.oneof(fromGit(around), fromImage(around), internal);

/** Bodies of updates that a deployment from git accepts. */
export const updateGitDeployment: fc.Arbitrary<UpdateDeployment> = fc.record(
  {
    source_config: may(
      fc.record({ build_on_push: may(fc.boolean()), install_command: may(words) }, optional),
    ),
    source_revision_config: may(
      fc.record({ repo_ref: may(branch), graph_config_path: may(configPath) }, optional),
    ),
    secrets: may(secrets),
  },
  optional,
);

/** Bodies of updates that a deployment from an image accepts. */
export const updateImageDeployment: fc.Arbitrary<UpdateDeployment> = fc.record(
  {
    source_config: may(
      fc.record({ custom_url: may(fc.webUrl()), resource_spec: may(resourceSpec) }, optional),
    ),
    source_revision_config: may(fc.record({ image_uri: may(imageUri) }, optional)),
    secrets: may(secrets),
  },
  optional,
);

/** Bodies of creates of listeners that are accepted once the compute is made a new one. */
export const createListener: fc.Arbitrary<CreateListener> = fc.record(
  {
    compute_type: fc.constantFrom("k8s", "vm"),
    compute_id: text,
    compute_config: fc.record({ k8s_namespaces: fc.array(words, { minLength: 1, maxLength: 3 }) }),
    version: may(text),
  },
  { requiredKeys: ["compute_type", "compute_id", "compute_config"] },
);

const url = fc.webUrl();

/** Bodies of creates of OAuth providers that are accepted once the slug is made a new one. */
export const createOAuthProvider = fc.record(
  {
    provider_id: fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,8}$/),
    name: words,
    client_id: words,
    client_secret: may(text),
    auth_url: url,
    token_url: url,
    uses_pkce: fc.boolean(),
    code_challenge_method: may(text),
    provider_type: may(fc.constantFrom("microsoft", "salesforce", "slack")),
    token_endpoint_auth_method: may(fc.constantFrom("none", "client_secret_basic")),
  },
  { requiredKeys: ["provider_id", "name", "client_id", "auth_url", "token_url"] },
);

/** A body with one value in it replaced by any other, or left out: most are refused. */
export function spoiled(body: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const anything = fc.oneof(
    fc.jsonValue(),
    anyText,
    fc.constantFrom(undefined, null, 0.06, 1e308, "", [], {}, "git_host", "refs/tags/v1"),
  );
  return fc.tuple(body, fc.nat(), anything).map(([value, at, other]) => {
    const places = placesIn(value);
    return replaced(value, places[at % places.length] ?? [], other);
  });
}

type Place = readonly string[];

function placesIn(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [[]];
  const within = Object.entries(value).flatMap(([name, member]) =>
    placesIn(member).map((place) => [name, ...place]),
  );
  return [[], ...within];
}

function replaced(value: unknown, [first, ...rest]: Place, other: unknown): unknown {
  if (first === undefined) return other;
  if (Array.isArray(value))
    return value.with(Number(first), replaced(value[Number(first)], rest, other));
  const members = recordOf(value);
  return { ...members, [first]: replaced(members[first], rest, other) };
}
