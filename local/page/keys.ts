import { createHmac } from "node:crypto";
import { isSameKey } from "../http/access";
import { PAGE_COOKIE } from "../proxy/headers";

/** The time in which a link for one use can be used. */
const ONE_USE_MS = 60_000;

/** The keys that open the page. All are derived from the data folder's admin key, so they stay the same for every start. */
export class PageKeys {
  /** In the cookie: it does not reveal the link. */
  readonly cookie: string;
  readonly #adminKey: string;
  readonly #used = new Set<string>();

  constructor(adminKey: string) {
    this.#adminKey = adminKey;
    this.cookie = derive(adminKey, "cookie of the page");
  }

  /** Whether a link with this key opens the page: the printed one always, one for a single use once and soon. */
  opens(key: string): boolean {
    if (isSameKey(key, linkKey(this.#adminKey))) return true;
    const [end = ""] = key.split(".");
    if (!isSameKey(key, keyUntil(this.#adminKey, end)) || Number(end) < Date.now()) return false;
    if (this.#used.has(key)) return false;
    this.#used.add(key);
    return true;
  }
}

function derive(adminKey: string, use: string): string {
  return createHmac("sha256", adminKey).update(use).digest("base64url");
}

function linkKey(adminKey: string): string {
  return derive(adminKey, "link of the page");
}

function keyUntil(adminKey: string, end: string): string {
  return `${end}.${derive(adminKey, `link of the page until ${end}`)}`;
}

/** The cookie's name. Browsers send a cookie to every port of a host, so each platform has a name of its own. */
export function cookieName(port: number): string {
  return `${PAGE_COOKIE}_${port}`;
}

/** The page's own origin. */
export function pageOrigin(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** The printed link. It works more than once. */
export function pageLink(port: number, adminKey: string): string {
  return `${pageOrigin(port)}/open/${linkKey(adminKey)}`;
}

/**
 * A link to a path of the page that works once, within a minute: a browser keeps it in its history. It can stand in an
 * attribute of HTML.
 */
export function singleUseLink(
  pageUrl: string,
  adminKey: string,
  path: string,
  now = Date.now(),
): string {
  const end = String(now + ONE_USE_MS);
  return new URL(`/open/${keyUntil(adminKey, end)}${path}`, pageUrl).href;
}
