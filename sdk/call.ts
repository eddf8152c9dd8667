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

/** Members that may all be left out, or undefined. */
export type Optional<Body> = { readonly [Member in keyof Body]?: Body[Member] | undefined };
