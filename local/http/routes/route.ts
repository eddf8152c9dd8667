import { z } from "@hono/zod-openapi";
import { HTTPValidationError, Problem } from "./answers";

/** An id in a path. */
export const Id = z.guid().toLowerCase();

/** The path of a deployment's revisions, and what a path to one of them holds. */
export const REVISIONS = "/v2/deployments/{deployment_id}/revisions";
export const oneRevision = { params: z.object({ deployment_id: Id, revision_id: Id }) };

/** `limit` and `offset` of a list (contract, "Limits"). */
export const Page = {
  limit: z.coerce.number().int().min(1).max(100).default(20),
  // Described by hand: null, which a query can't hold, would count as 0.
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .openapi({ type: "integer", minimum: 0, default: 0 }),
};

/** A value such as `a,b`: the items without spaces and empty ones. */
export const List = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

/** `true` or `false` in a query. */
export const Flag = z
  .stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] })
  .openapi({ type: "boolean" });

/** A JSON body that has to be there. */
export function body<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { "application/json": { schema } } } as const;
}

/** An answer with a JSON body. */
export function answer<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { "application/json": { schema } } } as const;
}

/** What every route may answer instead. */
export const orRefused = {
  401: answer(Problem, "No API key, or one that is not known"),
  403: answer(Problem, "The key is not one of this workspace"),
  422: answer(HTTPValidationError, "The request does not fit its schema"),
} as const;

/** What every route that takes a body may answer instead. */
export const orBodyRefused = {
  ...orRefused,
  413: answer(Problem, "The body is too large"),
} as const;

export const or400 = { 400: answer(Problem, "A rule across fields is broken") } as const;
export const or404 = { 404: answer(Problem, "Not found in this workspace") } as const;
export const or409 = { 409: answer(Problem, "Not possible at present") } as const;
