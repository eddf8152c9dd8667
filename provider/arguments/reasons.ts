import type { z } from "zod";

/** The reason why a value is wrong, as the end of a sentence: `is required`, `must be a string`. */
export function reasonOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (!issue.message.startsWith("Invalid input")) return issue.message;
      return isMissing(issue) ? "is required" : `must be ${typeName(issue)}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "too_small":
      return reasonOfTooSmall(issue);
    case "too_big":
      return `must be at most ${issue.maximum}`;
    case "invalid_union":
      return reasonOfUnion(issue);
    case "invalid_format":
      return issue.format === "guid" ? "must be a UUID" : issue.message;
    default:
      return issue.message;
  }
}

/** zod reports a missing value as one of the type `undefined`. */
function isMissing({ input, message }: z.core.$ZodIssueInvalidType): boolean {
  return input === undefined && message.endsWith("undefined");
}

function reasonOfTooSmall({ origin, inclusive, minimum }: z.core.$ZodIssueTooSmall): string {
  if (origin === "string" || origin === "array") return `must be a non-empty ${origin}`;
  return inclusive === false ? `must be greater than ${minimum}` : `must be at least ${minimum}`;
}

/** A value that has none of the types that are taken. */
function reasonOfUnion({ errors, message }: z.core.$ZodIssueInvalidUnion): string {
  const firsts = errors.flatMap(([first]) => (first?.code === "invalid_type" ? [first] : []));
  if (firsts.length === 0 || firsts.some(({ path }) => path.length > 0)) return message;
  return firsts.every(isMissing) ? "is required" : `must be ${firsts.map(typeName).join(" or ")}`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: "an array",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
};

function typeName({ expected }: z.core.$ZodIssueInvalidType): string {
  return TYPE_NAMES[expected] ?? `of type ${expected}`;
}
