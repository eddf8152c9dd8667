import fc from "fast-check";
import { z } from "zod";
import { type Dialect } from "../../sdk/dialect";
import { anImageDeployment } from "../support/platform";
import { spoiled, text, type Surroundings } from "./bodies";
import { SchemaValues } from "./values";

export const Operation = z.object({
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), schema: z.unknown() }))
    .default([]),
  requestBody: z
    .object({ content: z.object({ "application/json": z.object({ schema: z.unknown() }) }) })
    .optional(),
});
export type Operation = z.infer<typeof Operation>;

export interface AnyRequest {
  readonly ids: Readonly<Record<string, string>>;
  readonly query: readonly [name: string, value: string][];
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Ids that a platform has, by the name of their parameter. A deployment's revision has the deployment's place. */
type Ids = Readonly<Record<string, readonly string[]>>;

export interface Known extends Surroundings {
  readonly ids: Ids;
  readonly dialect: Dialect;
  readonly document: unknown;
}

export const aListener = (compute_id: string) => ({
  compute_type: "k8s",
  compute_id,
  compute_config: { k8s_namespaces: ["a"] },
});

export function aProvider(provider_id: string) {
  const urls = { auth_url: "https://id.example.com/a", token_url: "https://id.example.com/t" };
  return { provider_id, name: "p", client_id: "c", ...urls };
}

/** A body that an operation accepts, in the contract's names, where `{}` is none. */
const BODIES: Readonly<Record<string, (known: Known, unique: string) => unknown>> = {
  "POST /v2/deployments": (_, name) => ({ name, secrets: [], ...anImageDeployment() }),
  "POST /v2/listeners": (_, unique) => aListener(unique),
  "POST /v2/auth/providers": (_, unique) => aProvider(unique),
  "POST /v2/auth/authenticate": ({ ids }) => ({ provider: ids["provider_id"]?.[0], scopes: ["a"] }),
  "POST /v2/auth/callback/{provider_id}": () => ({ code: "c", state: "s" }),
};

function plainBody(name: string, { requestBody }: Operation, known: Known, unique: string) {
  const body = BODIES[name]?.(known, unique) ?? (requestBody && {});
  return known.dialect.fromContract.body(body);
}

/** Values of queries without which no request succeeds. */
const QUERIES: Readonly<Record<string, (known: Known) => string>> = {
  type: () => "build",
  provider_id: ({ ids }) => ids["provider_id"]?.[0] ?? "",
};

/** A request of an operation that succeeds; `unique` is a name that nothing has. */
export function plainRequest(
  name: string,
  operation: Operation,
  known: Known,
  unique: string,
): AnyRequest {
  return {
    ids: Object.fromEntries(Object.entries(known.ids).map(([id, [first = ""]]) => [id, first])),
    query: operation.parameters.flatMap((each) => {
      const value = each.in === "query" && QUERIES[each.name]?.(known);
      return value ? [[each.name, value]] : [];
    }),
    body: plainBody(name, operation, known, unique),
  };
}

/** Any request of an operation: what its document describes, and what is not. */
export function anyRequest(
  name: string,
  operation: Operation,
  known: Known,
): fc.Arbitrary<AnyRequest> {
  const values = new SchemaValues(known.document, namedValues(known));
  return fc.record({
    ids: anyIds(known.ids),
    query: anyQuery(operation, values),
    body: anyBody(name, operation, known, values),
    headers: fc.oneof(
      { weight: 12, arbitrary: fc.constant({}) },
      fc.constantFrom(
        { "X-Api-Key": undefined },
        { "X-Api-Key": "wrong" },
        { "X-Tenant-Id": "11111111-1111-4111-8111-111111111111" },
        { "Content-Type": "text/plain" },
      ),
    ),
  });
}

function anyBody(name: string, operation: Operation, known: Known, values: SchemaValues) {
  if (!operation.requestBody) return fc.constant(undefined);
  const described = values.of(operation.requestBody.content["application/json"].schema);
  const plain = fc.constant(plainBody(name, operation, known, "unique"));
  return fc.oneof({ weight: 3, arbitrary: described }, spoiled(described), spoiled(plain));
}

function namedValues({ ids, integrationId, listenerId }: Known) {
  const known = Object.values(ids).flat();
  const id = (real: string) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(real) }, fc.constantFrom(...known), fc.uuid());
  return {
    integration_id: id(integrationId),
    listener_id: id(listenerId),
    k8s_namespace: fc.constantFrom("default", "agents", "other", null),
  };
}

function anyIds(ids: Ids): fc.Arbitrary<Record<string, string>> {
  const all = Object.values(ids).flat();
  const other = fc.oneof(fc.constantFrom(...all), fc.uuid(), segment);
  const parts = Object.keys(ids).map(
    (name) => [name, fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, other)] as const,
  );
  return fc
    .tuple(fc.nat(), fc.record(Object.fromEntries(parts)))
    .map(([at, chosen]) =>
      Object.fromEntries(
        Object.entries(ids).map(([name, of]) => [name, chosen[name] ?? of[at % of.length] ?? ""]),
      ),
    );
}

/** A part of a path; a client resolves `.` and `..` itself. */
const segment = text.filter((value) => !["", ".", ".."].includes(value));

function anyQuery({ parameters }: Operation, values: SchemaValues) {
  const odd = fc.oneof(text, fc.constantFrom("", "0x10", "1e3", "1.5", "-1", "null", " 7 ", "\0"));
  const pairs = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema }) => {
      const value = fc.oneof({ weight: 4, arbitrary: values.of(schema).map(String) }, odd);
      return fc
        .array(value, { maxLength: 2, size: "xsmall" })
        .map((all) => all.map((one): [string, string] => [name, one]));
    });
  return fc.tuple(...pairs).map((all) => all.flat());
}
