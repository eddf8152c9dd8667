import { type IncomingMessage, request, type RequestOptions } from "node:http";

/**
 * Sends a request to this machine itself; resolves with the response's head. Follows no redirect. `fetch` and Node's global
 * agent would ask the proxies of HTTP_PROXY where NODE_USE_ENV_PROXY is set, which can't reach this machine's loopback.
 */
export function requestHere(
  url: string,
  { body, ...options }: RequestOptions & { readonly body?: string | undefined } = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { ...options, agent: false }, resolve)
      .on("error", reject)
      .end(body);
  });
}
