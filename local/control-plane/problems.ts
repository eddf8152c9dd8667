import type { ErrorHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { InvalidRequest } from "../http/validation";

/** The answer to a request that can't be done: `{"detail": "…"}` with this status. */
export function problem(status: ContentfulStatusCode, detail: string): HTTPException {
  return new HTTPException(status, { message: detail });
}

/** 404 for something that this workspace does not have. */
export function notFound(kind: string, id: string): HTTPException {
  return problem(404, `${kind} ${id} not found`);
}

/** Turns every error of a handler into the contract's form. */
export const onError: ErrorHandler = (error, c) => {
  if (error instanceof InvalidRequest) return c.json({ detail: error.problems }, 422);
  if (error instanceof HTTPException) return c.json({ detail: error.message }, error.status);
  return c.json({ detail: `the local platform failed: ${error.message}` }, 500);
};
