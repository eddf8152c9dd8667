import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** The answer to a request that can't be done: `{"detail": "…"}` with this status. */
export function problem(status: ContentfulStatusCode, detail: string): HTTPException {
  return new HTTPException(status, { message: detail });
}

/** 404 for something that this workspace does not have. */
export function notFound(kind: string, id: string): HTTPException {
  return problem(404, `${kind} ${id} not found`);
}
