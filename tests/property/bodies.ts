import fc from "fast-check";
import type { CreateDeployment, CreateListener } from "../../sdk/schema";
import { recordOf } from "../../shared/records";

export const text = fc.string({ unit: "binary" }).filter((value) => !value.includes("\0"));
/** Any text that JSON can carry: NUL and halves of surrogate pairs are among it. */
const anyText = fc.string({ unit: fc.oneof(fc.constantFrom("é", "\0", "\ud800"), unit()) });
const words = fc.string({ minLength: 1, unit: unit() });
/** A member that is there, null or left out. */
const may = <Value>(value: fc.Arbitrary<Value>) => fc.option(value);
/** A path inside a repository, and a container image. */
const configPath = words.filter((path) => !/^\/|(^|\/)\.\.(\/|$)/.test(path));
const imageUri = words.filter((uri) => !/\s|^[a-z][\w+.-]*:\/\//i.test(uri));
const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,10}[a-z0-9])?$/);
const amount = fc.nat();

function unit() {
  return fc.constantFrom(...Array.from("abcXYZ019 -_./:@%'\"\\{}"));
}

const optional = { requiredKeys: [] };

/** A part of a resource spec that is accepted: tests/contract/resource-spec.test.ts has every member. */
const resourceSpec = fc.record(
  {
    min_scale: may(amount),
    cpu: may(fc.double({ min: 0.1, max: 8, noNaN: true })),
    memory_mb: may(amount),
    labels: may(fc.dictionary(label, label)),
    annotations: may(fc.dictionary(label, text)),
    service_account_name: may(text),
  },
  optional,
);

const secrets = fc.uniqueArray(fc.record({ name: words, value: text }), {
  maxLength: 3,
  selector: ({ name }) => name,
});

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
