import { isLoopback } from "../shared/net";

/** What a base URL may be beyond `https`. */
export interface BaseUrlRules {
  /** Plain `http` to other hosts than loopback, where a key would travel in clear. @default false */
  readonly allowInsecureHttp?: boolean | undefined;
  /** Puts the control plane's paths under `/api-host`, as self-hosted installations do. @default false */
  readonly selfHosted?: boolean | undefined;
}

const SELF_HOSTED_PREFIX = "/api-host";

/**
 * Brings a base URL into the one form that is used and compared: no trailing slash, host in lower case.
 * Throws a `TypeError` that lists every problem; it never repeats the text, which may hold a password.
 */
export function normalizeBaseUrl(text: string, rules: BaseUrlRules = {}): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new TypeError("is no URL; write it as https://host or https://host/path");
  }
  const problems = problemsOf(url, rules);
  if (problems.length > 0) throw new TypeError(problems.join("; "));
  const path = url.pathname.replace(/\/+$/, "");
  const prefix = rules.selfHosted && !path.endsWith(SELF_HOSTED_PREFIX) ? SELF_HOSTED_PREFIX : "";
  return `${url.origin}${path}${prefix}`;
}

function problemsOf(url: URL, { allowInsecureHttp = false }: BaseUrlRules): string[] {
  const problems: string[] = [];
  if (url.protocol !== "https:" && url.protocol !== "http:")
    problems.push(`has the scheme '${url.protocol.slice(0, -1)}'; use https`);
  if (url.protocol === "http:" && !allowInsecureHttp && !isLoopback(url.hostname))
    problems.push("is plain http, which would send the key in clear; use https");
  if (url.username || url.password) problems.push("holds a user name or password");
  if (url.search || url.href.includes("?")) problems.push("holds a query");
  if (url.hash || url.href.includes("#")) problems.push("holds a fragment");
  return problems;
}
