import { isLoopback } from "../shared/net";

/** Base URLs that are accepted beyond `https`. */
export interface BaseUrlRules {
  /** Accepts plain `http` to hosts other than loopback, which sends the key unencrypted. @default false */
  readonly allowInsecureHttp?: boolean | undefined;
  /** Puts the control plane's paths under `/api-host`, as self-hosted installations do. @default false */
  readonly selfHosted?: boolean | undefined;
}

/** The prefix of the control plane's paths on self-hosted installations. */
export const SELF_HOSTED_PREFIX = "/api-host";

/**
 * Normalizes a base URL: no trailing slash, host in lower case. Throws a `TypeError` that lists every problem and never
 * repeats the URL, which may contain a password. `permission` is the name by which the user allows plain `http`.
 */
export function normalizeBaseUrl(
  text: string,
  rules: BaseUrlRules = {},
  permission = "allowInsecureHttp",
): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new TypeError("is not a valid URL; write it as https://host or https://host/path");
  }
  const problems = problemsOf(url, rules, permission);
  if (problems.length > 0) throw new TypeError(problems.join("; "));
  const path = withoutTrailingSlashes(url.pathname);
  const prefix = rules.selfHosted && !path.endsWith(SELF_HOSTED_PREFIX) ? SELF_HOSTED_PREFIX : "";
  return `${url.origin}${path}${prefix}`;
}

export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

function problemsOf(
  url: URL,
  { allowInsecureHttp = false }: BaseUrlRules,
  permission: string,
): string[] {
  const problems: string[] = [];
  const [port] = /^\d+(?=\/|$)/.exec(url.pathname) ?? [];
  if (port !== undefined) {
    // `host:port` is a URL too, of a scheme with the host's name.
    const host = url.protocol.slice(0, -1);
    return [`has no scheme; write ${isLoopback(host) ? "http" : "https"}://${host}:${port}`];
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    problems.push(`has the scheme '${url.protocol.slice(0, -1)}'; use https`);
  if (url.protocol === "http:" && !allowInsecureHttp && !isLoopback(url.hostname))
    problems.push(
      `is plain http, which would send the key unencrypted; use https, or allow it with ${permission}`,
    );
  if (url.username || url.password) problems.push("contains a user name or password");
  if (url.search || url.href.includes("?")) problems.push("contains a query");
  if (url.hash || url.href.includes("#")) problems.push("contains a fragment");
  return problems;
}
