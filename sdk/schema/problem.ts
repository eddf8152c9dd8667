import { z } from "zod";

/** One problem of a request (contract, "Errors"). */
export const ValidationProblem = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
});
export type ValidationProblem = z.infer<typeof ValidationProblem>;

/** Body of a 422 (contract, "Errors"). */
export const HTTPValidationError = z.object({ detail: z.array(ValidationProblem) });
export type HTTPValidationError = z.infer<typeof HTTPValidationError>;

/** Body of every other error; the contract shows none, the public service sends this. */
export const Problem = z.object({ detail: z.string() });
export type Problem = z.infer<typeof Problem>;

/** The body of a response that has none. */
export const NoContent = z.unknown().transform(() => undefined);
