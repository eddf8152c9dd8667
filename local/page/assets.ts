import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "hono";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

const NAMES = ["page.css", "page.js", "icon.svg", "htmx.js"] as const;
export type AssetName = (typeof NAMES)[number];

interface Asset {
  readonly body: string;
  readonly type: string;
  /** Changes with the content, so browsers can keep an asset for good. */
  readonly version: string;
}

const loaded = new Map<string, Asset>();

function load(name: AssetName): Asset {
  const known = loaded.get(name);
  if (known) return known;
  const body = readFileSync(join(__dirname, "assets", name), "utf8");
  const type = TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
  const version = createHash("sha256").update(body).digest("base64url").slice(0, 12);
  const asset = { body, type, version };
  loaded.set(name, asset);
  return asset;
}

/** The URL of an asset. */
export function assetUrl(name: AssetName): string {
  return `/assets/${name}?v=${load(name).version}`;
}

export function sendAsset(c: Context) {
  const name = NAMES.find((known) => known === c.req.param("name"));
  if (!name) return c.notFound();
  const { body, type } = load(name);
  const caching = "private, max-age=31536000, immutable";
  return c.body(body, 200, { "Content-Type": type, "Cache-Control": caching });
}
