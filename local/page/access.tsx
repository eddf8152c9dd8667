import type { Context, MiddlewareHandler } from "hono";
import { setCookie } from "hono/cookie";
import { secureHeaders } from "hono/secure-headers";
import { isSameKey } from "../http/access";
import { isEmbedded } from "../http/cors";
import type { PageKeys } from "./keys";

const COOKIE_SECONDS = 30 * 24 * 60 * 60;

/** No inline script or style, nothing from another origin, in no frame of another page. */
export const pageHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  referrerPolicy: "no-referrer",
  xFrameOptions: "DENY",
  // There is no TLS on loopback.
  strictTransportSecurity: false,
});

/** The page changes nothing, so it answers only what reads. */
export const readOnly: MiddlewareHandler = async (c, next) => {
  if (c.req.method === "GET" || c.req.method === "HEAD") return next();
  return c.text("The page is read-only.", 405, { Allow: "GET, HEAD" });
};

/**
 * Refuses what other origins embed or fetch. Agents' pages are on another port of the same host, which is the same site,
 * so browsers send the cookie with their requests too. Following a link to the page is fine.
 */
export const sameOriginOnly: MiddlewareHandler = async (c, next) => {
  if (isEmbedded(c)) return c.text("Other origins cannot use the page.", 403);
  return next();
};

/** Turns the link's key into the cookie, and leads away from the link at once: to a deployment, or to all. */
export function openLink(c: Context, keys: PageKeys, cookie: string) {
  // A preview of links must not use it up.
  if (c.req.method === "HEAD") return c.body(null);
  if (!keys.opens(c.req.param("key") ?? "")) return refuse(c);
  setCookie(c, cookie, keys.cookie, {
    httpOnly: true,
    sameSite: "Strict",
    path: "/",
    maxAge: COOKIE_SECONDS,
  });
  const id = c.req.param("id");
  const path = id === undefined ? "/" : `/deployments/${id}`;
  if (c.req.header("Sec-Fetch-Site") !== "cross-site") return c.redirect(path, 303);
  // Browsers send the cookie along no redirect of a link that another site has, such as a file.
  return c.body(null, 200, { Refresh: `0; url=${path}` });
}

/** Nothing is shown without the cookie. */
export function requireCookie(keys: PageKeys, cookie: string): MiddlewareHandler {
  return async (c, next) => {
    // An agent's script can add cookies of this name with other paths: one of them must be right.
    const pairs = (c.req.header("Cookie") ?? "").split(";").map((pair) => pair.trim().split("="));
    const values = pairs.filter(([name]) => name === cookie).map(([, value = ""]) => value);
    if (values.some((value) => isSameKey(value, keys.cookie))) return next();
    return refuse(c);
  };
}

function refuse(c: Context) {
  return c.html(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>Open the page with its link</title>
      </head>
      <body>
        <h1>Open the page with its link</h1>
        <p>
          Run <code>npx pulumi-agentserver open</code> in the folder of the local platform. It also
          prints the link when it starts.
        </p>
        <p>
          If you have just followed the link: <a href="/">continue</a>.
        </p>
      </body>
    </html>,
    401,
  );
}
