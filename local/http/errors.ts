import type { ErrorHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { InvalidRequest } from "./validation";

/** Turns every error of a handler into the contract's form. */
export const onError: ErrorHandler = (error, c) => {
  if (error instanceof InvalidRequest) return c.json({ detail: error.problems }, 422);
  if (error instanceof HTTPException) return c.json({ detail: error.message }, error.status);
  return c.json({ detail: `the local platform failed: ${error.message}` }, 500);
};
