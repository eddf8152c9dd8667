import { z } from "zod";
import { keysOf } from "../arguments/property-path";
import { sameValue } from "../arguments/props";

/** The expectation of a run, as `ExpectationArgs` describes it. */
export const Expectation = z
  .object({
    contains: z.string().min(1).nullish(),
    equals: z.unknown().optional(),
    matches: z.string().min(1).nullish(),
    path: z.string().min(1).nullish(),
  })
  .superRefine(({ contains, equals, matches, path }, context) => {
    const tests = [contains, equals, matches].filter((test) => test !== undefined && test !== null);
    const problem = (message: string, at: string[] = []): void =>
      context.addIssue({ code: "custom", path: at, message });
    if (tests.length > 1) problem("takes one of contains, equals and matches");
    if (tests.length === 0 && !path) problem("needs contains, equals, matches or path");
    if (!path && !["string", "undefined"].includes(typeof (equals ?? undefined)))
      problem("must be a string, which the text is compared with; with path it may be any value", [
        "equals",
      ]);
    const wrong = matches ? whyInvalid(matches) : undefined;
    if (wrong !== undefined) problem(wrong, ["matches"]);
  });
export type Expectation = z.infer<typeof Expectation>;

/** Whether a value of the state, or the text of a message, is as expected. */
export function meets(value: unknown, { contains, equals, matches }: Expectation): boolean {
  if (value === undefined || value === null) return false;
  const text = typeof value === "string" ? value.trim() : JSON.stringify(value);
  if (contains) return text.includes(contains);
  if (matches) return expressionOf(matches).test(text);
  if (typeof equals === "string") return text === equals.trim();
  return (equals ?? undefined) === undefined || sameValue(value, equals);
}

/** The expectation in words: `an answer that contains "7"`, `that order.status of the state equals "sent"`. */
export function describeExpectation({ contains, equals, matches, path }: Expectation): string {
  const test = contains
    ? `contains ${JSON.stringify(contains)}`
    : matches
      ? `matches /${matches}/`
      : (equals ?? undefined) !== undefined && `equals ${JSON.stringify(equals)}`;
  if (!path) return `an answer that ${test}`;
  return test ? `that ${path} of the state ${test}` : `${path} in the state`;
}

/** The value at a path of the state; a negative index counts from the end of a list. */
export function valueIn(state: unknown, path: string): unknown {
  return keysOf(path.replace(/^\$\.?/, "")).reduce(memberOf, state);
}

function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^-?\d+$/.test(key) ? value.at(Number(key)) : undefined;
  const isObject = typeof value === "object" && value !== null;
  return isObject && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function expressionOf(source: string): RegExp {
  return new RegExp(source, "u");
}

function whyInvalid(source: string): string | undefined {
  try {
    expressionOf(source);
    return undefined;
  } catch (error) {
    return `is not a valid regular expression: ${error instanceof Error ? error.message : ""}`;
  }
}
