import { once } from "node:events";
import { serve } from "@hono/node-server";
import { proxy } from "hono/proxy";

const TOO_MANY = { status: 429, headers: { "retry-after": "1" } };

/**
 * Starts a proxy that lets so many requests a second through, a second's worth at once, and answers 429 to the others.
 * `limitTo` sets the rate, and sets the counts to zero.
 */
export async function startBucket(target: string) {
  const counts = { requests: 0, refused: 0 };
  let [rate, tokens, filledMs] = [Infinity, Infinity, 0];
  const fetch = (raw: Request): Response | Promise<Response> => {
    const nowMs = performance.now();
    tokens = Math.min(rate, tokens + ((nowMs - filledMs) / 1000) * rate);
    filledMs = nowMs;
    counts[tokens < 1 ? "refused" : "requests"] += 1;
    if (tokens < 1) return Response.json({ detail: "too many requests" }, TOO_MANY);
    tokens -= 1;
    const { pathname, search } = new URL(raw.url);
    return proxy(target + pathname + search, { raw });
  };
  const server = serve({ fetch, hostname: "127.0.0.1", port: 0 });
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    counts,
    limitTo(given: number): void {
      [rate, tokens, filledMs] = [given, given, performance.now()];
      Object.assign(counts, { requests: 0, refused: 0 });
    },
    close: () => void server.close(),
  };
}
