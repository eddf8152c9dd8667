import { once } from "node:events";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { later } from "../../support/later";
import type { TestPlatform } from "../../support/platform";

interface Changes {
  readonly method?: string;
  readonly cookie?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The page of a platform, opened with its link, without a browser. */
export async function openPage({ platform }: TestPlatform) {
  const link = platform.pageUrl ?? "";
  const opened = await fetch(link, { redirect: "manual" });
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { origin } = new URL(link);
  return {
    origin,
    /** `name=value`, as the link gave it. */
    cookie,
    async get(path: string, changes: Changes = {}) {
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

/** That page for all tests of the `describe`. */
export function usePage(test: TestPlatform): Awaited<ReturnType<typeof openPage>> {
  let page: Awaited<ReturnType<typeof openPage>> | undefined;
  before(async () => (page = await openPage(test)));
  return later(() => page);
}
