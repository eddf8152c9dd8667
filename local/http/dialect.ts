import { isRecord } from "../../shared/records";
import { SourceRevisionConfig } from "../../sdk/schema";
import { type Dialect, type DialectName, dialectOf } from "../../sdk/dialect";

type Fetch<Rest extends unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>;

/** What the control plane answers; agent servers and the admin API have no dialect. */
const CONTROL_PLANE = /^(\/api-host)?\/v\d\/|^\/openapi\.json$/;

/** Lets a control plane that speaks the contract's names speak those of a dialect. */
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
    const response = await fetch(await translated(request, url, dialect), ...rest);
    return answer(response, (body) => {
      if (!response.ok) return worded(body, dialect);
      if (pathname === "/openapi.json") return described(body, dialect);
      return nested(dialect.fromContract.body(body), dialect);
    });
  };
}

async function translated(request: Request, url: URL, { toContract }: Dialect): Promise<Request> {
  const { method, signal } = request;
  const text = await request.text();
  const body = text === "" ? null : rewrite(text, toContract.body);
  return new Request(url, { method, headers: withoutLength(request.headers), body, signal });
}

async function answer(response: Response, change: (body: unknown) => unknown): Promise<Response> {
  if (!response.headers.get("content-type")?.includes("application/json")) return response;
  const { status, headers } = response;
  return new Response(rewrite(await response.text(), change), {
    status,
    headers: withoutLength(headers),
  });
}

/** The translated text has another length. */
function withoutLength(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete("content-length");
  return kept;
}

/** A text that is no JSON is left as it is: to say so is not the translator's business. */
function rewrite(text: string, change: (value: unknown) => unknown): string {
  try {
    return JSON.stringify(change(JSON.parse(text)));
  } catch {
    return text;
  }
}

const FLAT = Object.keys(SourceRevisionConfig.shape);

/** A revision shows what it is made of at its top too only where the dialect says so. */
function nested(value: unknown, dialect: Dialect): unknown {
  const one = (item: unknown): unknown =>
    isRecord(item) && "source_revision_config" in item ? without(flat(dialect), item) : item;
  if (!isRecord(value) || !Array.isArray(value["resources"])) return one(value);
  return { ...value, resources: value["resources"].map(one) };
}

/** The members of a revision that the dialect does not show at its top. */
function flat({ flatRevisions, fromContract }: Dialect): string[] {
  return flatRevisions ? [] : FLAT.map(fromContract.name);
}

function without(names: readonly string[], item: object): object {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}

/** The words of an error: names of the contract may stand anywhere in them. */
function worded(value: unknown, dialect: Dialect): unknown {
  if (typeof value === "string") return value.replace(/\w+/g, dialect.fromContract.name);
  if (Array.isArray(value)) return value.map((item) => worded(item, dialect));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, worded(item, dialect)]);
  return Object.fromEntries(entries);
}

/** The OpenAPI document in the dialect's words: paths, names of members, values. */
function described(document: unknown, dialect: Dialect): unknown {
  const { path, name: translate } = dialect.fromContract;
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return translate(value);
    if (Array.isArray(value)) return value.map(walk);
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([name, member]): [string, unknown] => [
      name.startsWith("/") ? path(name) : translate(name),
      walk(member),
    ]);
    return nestedSchema(Object.fromEntries(entries), dialect);
  };
  return walk(document);
}

/** The schema of a revision, as `nested` leaves a revision. */
function nestedSchema(schema: Record<string, unknown>, dialect: Dialect): unknown {
  const { properties, required } = schema;
  if (!isRecord(properties) || !("source_revision_config" in properties)) return schema;
  const hidden = flat(dialect);
  return {
    ...schema,
    properties: without(hidden, properties),
    ...(Array.isArray(required) && { required: required.filter((name) => !hidden.includes(name)) }),
  };
}
