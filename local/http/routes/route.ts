import { z } from "@hono/zod-openapi";
import { HTTPValidationError, Problem } from "./responses";
import { mapMembers } from "../../../shared/records";

/** An id in a path. */
export const Id = z.guid().toLowerCase();
export const DeploymentId = Id.describe("The deployment's id");

/** The slug of an OAuth provider in a path. */
export const ProviderId = z.string().min(1).describe("The slug of the OAuth provider");

/** The path of a deployment's revisions, and the parameters of a path to one of them. */
export const REVISIONS = "/v2/deployments/{deployment_id}/revisions";
export const revisionParams = {
  params: z.object({
    deployment_id: DeploymentId,
    revision_id: Id.describe("The id of one of its revisions"),
  }),
};

/** An integer in a query, in decimal digits. */
export function integer({ minimum, maximum, ...rest }: Bounds) {
  const toNumber = (text: unknown) =>
    typeof text === "string" && /^-?\d+$/.test(text) ? Number(text) : text;
  const bounded = z.int().min(minimum).max(maximum).default(rest.default);
  // Described by hand: the generated schema would be that of any value.
  return z.preprocess(toNumber, bounded).openapi({ type: "integer", minimum, maximum, ...rest });
}

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
  readonly description: string;
}

/** `limit` and `offset` of a list (contract, "Limits"). */
const Page = {
  limit: integer({
    minimum: 1,
    maximum: 100,
    default: 20,
    description: "The largest number of resources in the page",
  }),
  offset: integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: "The number of resources to skip: the `offset` of the page before",
  }),
};

/**
 * The query of a list: the page, and the filters. An unknown one is refused: a client that takes what is left for its own
 * would take another's.
 */
export function listQuery<Filters extends z.core.$ZodLooseShape>(filters: Filters) {
  return z.strictObject({ ...Page, ...filters });
}

/** Filters as a query has them: a list is one text, a flag `true` or `false`. */
export function inQuery<Filters extends z.core.$ZodLooseShape>(
  filters: Filters,
): { [Name in keyof Filters]: z.ZodType<z.output<Filters[Name]>> };
export function inQuery(filters: Readonly<Record<string, z.ZodOptional>>): z.core.$ZodLooseShape {
  return mapMembers(filters, textOf);
}

function textOf(filter: z.ZodOptional): z.ZodType {
  const value = filter.unwrap();
  const { description = "" } = filter;
  if (value instanceof z.ZodBoolean) return Flag.optional().describe(description);
  if (value instanceof z.ZodReadonly)
    return listOf(value).optional().describe(`${description}, separated by commas`);
  return filter;
}

/** A comma-separated list; spaces and empty items are dropped. */
export function listOf<Items extends z.ZodType>(items: Items) {
  const itemsIn = (text: unknown) =>
    typeof text === "string"
      ? text
          .split(",")
          .map((item) => item.trim())
          .filter((item) => item !== "")
      : text;
  return z.preprocess(itemsIn, items).openapi({ type: "string" });
}

/** `true` or `false` in a query. */
const Flag = z
  .stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] })
  .openapi({ type: "boolean" });

/** A required JSON body, with an example. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema, example: z.input<Schema>) {
  return { required: true, content: { "application/json": { schema, example } } } as const;
}

/** A response with a JSON body. */
export function jsonResponse<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { "application/json": { schema } } } as const;
}

/** The error responses of every route. */
export const orRejected = {
  401: jsonResponse(Problem, "The API key is missing or unknown"),
  403: jsonResponse(Problem, "The API key does not belong to this workspace"),
  422: jsonResponse(HTTPValidationError, "The request does not match its schema"),
} as const;

/** The error responses of every route with a body. */
export const orBodyRejected = {
  ...orRejected,
  413: jsonResponse(Problem, "The body is too large"),
} as const;

export const or400 = {
  400: jsonResponse(Problem, "The fields contradict each other or the stored resource"),
} as const;
export const or404 = { 404: jsonResponse(Problem, "Not found in this workspace") } as const;
export const or409 = {
  409: jsonResponse(Problem, "The resource is in a state that does not allow this"),
} as const;
