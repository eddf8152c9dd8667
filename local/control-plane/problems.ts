import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** A response with this status and `{"detail": "…"}`. */
export function problem(status: ContentfulStatusCode, detail: string): HTTPException {
  return new HTTPException(status, { message: detail });
}

/** 404 for what this workspace does not have. */
export function notFound(kind: string, id: string): HTTPException {
  return problem(404, `${kind} ${id} not found`);
}
