import { createHmac } from "node:crypto";
import { PAGE_COOKIE } from "../proxy/headers";

/** The keys that open the page. Both are derived from the data folder's admin key, so they stay the same for every start. */
export interface PageKeys {
  /** In the printed link. */
  readonly link: string;
  /** In the cookie: it does not reveal the link. */
  readonly cookie: string;
}

export function pageKeys(adminKey: string): PageKeys {
  const derive = (use: string) => createHmac("sha256", adminKey).update(use).digest("base64url");
  return { link: derive("link of the page"), cookie: derive("cookie of the page") };
}

/** The cookie's name. Browsers send a cookie to every port of a host, so each platform has a name of its own. */
export function cookieName(port: number): string {
  return `${PAGE_COOKIE}_${port}`;
}

/** The printed link. It works more than once. */
export function pageLink(port: number, adminKey: string): string {
  return `http://127.0.0.1:${port}/open/${pageKeys(adminKey).link}`;
}
