import type { ZodType } from "zod";
import type { CallName } from "./transport";

/** A request as messages and errors describe it; `subject` is the name or id of what it is about. */
export function named(
  action: string,
  method: CallName["method"],
  path: string,
  subject?: string,
): CallName {
  return { action, method, path, subject };
}

/** The same of a POST that only reads, with its filter as the body: it is repeated as a GET is. */
export function reading(action: string, path: string, subject?: string) {
  return { ...named(action, "POST", path, subject), isRepeatable: true };
}

/** Members that may all be left out, or undefined. */
export type Optional<Body> = { readonly [Member in keyof Body]?: Body[Member] | undefined };

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The response to a request for one thing: a cache in between may have confused it with another's. Servers take other forms
 * of an id too, as a graph's name.
 */
export function ofId<Body>(schema: ZodType<Body>, member: keyof Body, id: string): ZodType<Body> {
  const isOther = (found: string): boolean =>
    UUID.test(id) && found.toLowerCase() !== id.toLowerCase();
  return schema.refine((body) => !isOther(String(body[member])), {
    path: [member],
    message: "is that of another; a cache or gateway in between may have confused them",
  });
}
