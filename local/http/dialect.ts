import type { MiddlewareHandler } from "hono";
import { isRecord } from "../../shared/records";
import { SourceRevisionConfig } from "../../sdk/schema";
import { DEPLOYMENT_TYPES, type Dialect } from "../../sdk/dialect";
import type { Env } from "./env";

/** Translates the responses of the control plane, and its OpenAPI document, to the names of a dialect. */
export function translateResponses(dialect: Dialect): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next();
    const { res } = c;
    if (!res.headers.get("content-type")?.includes("application/json")) return;
    const change = translationOf(c.req.path, res.ok, dialect);
    const text = rewriteJson(await res.text(), change);
    const { status, headers } = res;
    // The translated body has another length.
    headers.delete("content-length");
    // Without this the new response would get the headers of the old one twice.
    c.res = undefined;
    c.res = new Response(text, { status, headers });
  };
}

function translationOf(path: string, ok: boolean, dialect: Dialect): (body: unknown) => unknown {
  if (!ok) return dialect.fromContract.body;
  if (path === "/openapi.json") return (document) => translateOpenApi(document, dialect);
  return (body) => hideFlatFields(dialect.fromContract.body(body), dialect);
}

/** Keeps text that is not valid JSON. */
function rewriteJson(text: string, change: (value: unknown) => unknown): string {
  try {
    return JSON.stringify(change(JSON.parse(text)));
  } catch {
    return text;
  }
}

/** What newer versions of the public service have, and the contract has not. */
const EXTENDED_FIELDS = ["display_name", "secret_references"];
const FLAT_FIELDS = Object.keys(SourceRevisionConfig.shape);

/** Removes the flat fields of a revision where the dialect has only the nested ones. */
function hideFlatFields(value: unknown, dialect: Dialect): unknown {
  const one = (item: unknown): unknown =>
    isRecord(item) && "source_revision_config" in item ? omit(hiddenFields(dialect), item) : item;
  if (!isRecord(value) || !Array.isArray(value["resources"])) return one(value);
  return { ...value, resources: value["resources"].map(one) };
}

/** The flat fields of a revision, and the fields of a deployment, that the dialect does not have. */
function hiddenFields({ flatRevisions, isExtended, fromContract }: Dialect): string[] {
  return [
    ...(flatRevisions ? [] : FLAT_FIELDS.map(fromContract.name)),
    ...(isExtended ? [] : EXTENDED_FIELDS),
  ];
}

function omit(names: readonly string[], item: object): object {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}

/** Translates the OpenAPI document: paths, names of fields, values. */
function translateOpenApi(document: unknown, dialect: Dialect): unknown {
  const { path, name: translate } = dialect.fromContract;
  const lacked: unknown[] = DEPLOYMENT_TYPES.filter(
    (type) => !dialect.deploymentTypes.includes(type),
  );
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return translate(value);
    if (Array.isArray(value)) return value.filter((item) => !lacked.includes(item)).map(walk);
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([name, member]): [string, unknown] => [
      name.startsWith("/") ? path(name) : translate(name),
      walk(member),
    ]);
    return hideFlatProperties(Object.fromEntries(entries), dialect);
  };
  return walk(document);
}

/** Removes from the schema of a revision what `hideFlatFields` removes from a revision. */
function hideFlatProperties(schema: Record<string, unknown>, dialect: Dialect): unknown {
  const { properties, required } = schema;
  if (!isRecord(properties) || !("source_revision_config" in properties)) return schema;
  const hidden = hiddenFields(dialect);
  return {
    ...schema,
    properties: omit(hidden, properties),
    ...(Array.isArray(required) && { required: required.filter((name) => !hidden.includes(name)) }),
  };
}
