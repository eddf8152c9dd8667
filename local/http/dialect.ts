import { isRecord } from "../../shared/records";
import { SourceRevisionConfig } from "../../sdk/schema";
import { type Dialect, type DialectName, dialectOf } from "../../sdk/dialect";

type Fetch<Rest extends unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>;

/** The paths of the control plane; agent servers and the admin API have no dialect. */
const CONTROL_PLANE = /^(\/api-host)?\/v\d\/|^\/openapi\.json$/;

/** Translates the requests and responses of a control plane between the contract's names and those of a dialect. */
export function withDialect<Rest extends unknown[]>(
  name: DialectName,
  fetch: Fetch<Rest>,
): Fetch<Rest> {
  const dialect = dialectOf(name);
  if (name === "agentserver") return fetch;
  return async (request, ...rest) => {
    const url = new URL(request.url);
    if (!CONTROL_PLANE.test(url.pathname)) return fetch(request, ...rest);
    const { pathname } = url;
    url.pathname = dialect.toContract.path(pathname);
    const response = await fetch(await translateRequest(request, url, dialect), ...rest);
    return translateResponse(response, (body) => {
      if (!response.ok) return translateMessages(body, dialect);
      if (pathname === "/openapi.json") return translateOpenApi(body, dialect);
      return hideFlatFields(dialect.fromContract.body(body), dialect);
    });
  };
}

async function translateRequest(
  request: Request,
  url: URL,
  { toContract }: Dialect,
): Promise<Request> {
  const { method, signal } = request;
  const text = await request.text();
  const body = text === "" ? null : rewriteJson(text, toContract.body);
  return new Request(url, { method, headers: withoutLength(request.headers), body, signal });
}

async function translateResponse(
  response: Response,
  change: (body: unknown) => unknown,
): Promise<Response> {
  if (!response.headers.get("content-type")?.includes("application/json")) return response;
  const { status, headers } = response;
  return new Response(rewriteJson(await response.text(), change), {
    status,
    headers: withoutLength(headers),
  });
}

/** The translated body has another length. */
function withoutLength(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete("content-length");
  return kept;
}

/** Keeps text that is not valid JSON: the route rejects it. */
function rewriteJson(text: string, change: (value: unknown) => unknown): string {
  try {
    return JSON.stringify(change(JSON.parse(text)));
  } catch {
    return text;
  }
}

const FLAT_FIELDS = Object.keys(SourceRevisionConfig.shape);

/** Removes the flat fields of a revision where the dialect has only the nested ones. */
function hideFlatFields(value: unknown, dialect: Dialect): unknown {
  const one = (item: unknown): unknown =>
    isRecord(item) && "source_revision_config" in item ? omit(hiddenFields(dialect), item) : item;
  if (!isRecord(value) || !Array.isArray(value["resources"])) return one(value);
  return { ...value, resources: value["resources"].map(one) };
}

/** The flat fields of a revision that the dialect does not have. */
function hiddenFields({ flatRevisions, fromContract }: Dialect): string[] {
  return flatRevisions ? [] : FLAT_FIELDS.map(fromContract.name);
}

function omit(names: readonly string[], item: object): object {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}

/** Translates the messages of an error, in which names of the contract may stand anywhere. */
function translateMessages(value: unknown, dialect: Dialect): unknown {
  if (typeof value === "string") return value.replace(/\w+/g, dialect.fromContract.name);
  if (Array.isArray(value)) return value.map((item) => translateMessages(item, dialect));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [
    name,
    translateMessages(item, dialect),
  ]);
  return Object.fromEntries(entries);
}

/** Translates the OpenAPI document: paths, names of fields, values. */
function translateOpenApi(document: unknown, dialect: Dialect): unknown {
  const { path, name: translate } = dialect.fromContract;
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return translate(value);
    if (Array.isArray(value)) return value.map(walk);
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
