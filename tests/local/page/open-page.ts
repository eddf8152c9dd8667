import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import type { TestPlatform } from "../../support/platform";

/** The page of a platform, opened with its link. */
export interface OpenPage {
  readonly origin: string;
  /** `name=value`, as the link gave it. */
  readonly cookie: string;
  get(
    path: string,
    changes?: { method?: string; cookie?: string | undefined; headers?: Record<string, string> },
  ): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>;
}

/** Follows the link, without a browser. */
export async function openPage({ platform }: TestPlatform): Promise<OpenPage> {
  const link = platform.pageUrl ?? "";
  const opened = await fetch(link, { redirect: "manual" });
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { origin } = new URL(link);
  return {
    origin,
    cookie,
    async get(path, changes = {}) {
      const sent = "cookie" in changes ? changes.cookie : cookie;
      const headers = { ...changes.headers, ...(sent !== undefined && { cookie: sent }) };
      const { method = "GET" } = changes;
      // `fetch` sets the headers itself that say who sends a request.
      const request = httpRequest(origin + path, { method, headers }).end();
      const [response]: IncomingMessage[] = await once(request, "response");
      if (!response) throw new Error("no response");
      const { statusCode: status = 0 } = response;
      return { status, headers: response.headers, body: await text(response) };
    },
  };
}
