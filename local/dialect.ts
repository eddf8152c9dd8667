import { SourceRevisionConfig } from "../sdk/schema";
import { type Dialect, type DialectName, dialectOf } from "../sdk/dialect";

type Fetch<Rest extends unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>;

/** What the control plane answers; agent servers and the admin API have no dialect. */
const CONTROL_PLANE = /^(\/api-host)?\/v\d\/|^\/openapi\.json$/;

/** Lets a control plane that speaks the contract's names speak those of a dialect. */
export function speaking<Rest extends unknown[]>(
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
    // Known under one name only: the contract's own names are other names here.
    if (url.pathname === pathname && dialect.fromContract.path(pathname) !== pathname)
      return Response.json({ detail: "Not Found" }, { status: 404 });
    const response = await fetch(await translated(request, url, dialect), ...rest);
    return pathname === "/openapi.json"
      ? answer(response, (document) => described(document, dialect))
      : answer(response, (body) => nested(dialect.fromContract.body(body), dialect));
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
function nested(value: unknown, { flatRevisions, fromContract }: Dialect): unknown {
  const flat = flatRevisions ? [] : [...FLAT, ...FLAT.map(fromContract.word)];
  const one = (item: unknown): unknown => {
    if (!isRecord(item) || !("source_revision_config" in item)) return item;
    return Object.fromEntries(Object.entries(item).filter(([name]) => !flat.includes(name)));
  };
  if (!isRecord(value) || !Array.isArray(value["resources"])) return one(value);
  return { ...value, resources: value["resources"].map(one) };
}

/** The OpenAPI document in the dialect's words: paths, names of members, values. */
function described(document: unknown, dialect: Dialect): unknown {
  const { path, word } = dialect.fromContract;
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return word(value);
    if (Array.isArray(value)) return value.map(walk);
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([name, member]): [string, unknown] => [
      name.startsWith("/") ? path(name) : word(name),
      walk(name === "properties" ? nested(member, dialect) : member),
    ]);
    return Object.fromEntries(entries);
  };
  return walk(document);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
