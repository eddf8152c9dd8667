import { closest } from "fastest-levenshtein";
import type { z } from "zod";
import { camelPath, snakeKeys } from "./casing";
import type { Context } from "../host/context";
import { isRecord } from "../../shared/records";
import { hasUnknown, type Props, UNKNOWN } from "./props";
import { type Settings, SettingsError } from "../config/settings";

/** A problem of one argument, in the user's spelling; without a property it is the whole resource's. */
export interface Problem {
  readonly property: string;
  readonly reason: string;
}

/** The settings, or where they can't be used every problem of them. */
export function validateSettings({ settings }: Context): {
  problems: Problem[];
  settings?: Settings;
} {
  try {
    return { problems: [], settings: settings() };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { problems: error.problems.map((reason) => ({ property: "", reason })) };
  }
}

/** Arguments that a resource does not have, most of them misspelt. */
export function unknownArguments(news: Props, known: readonly string[]): Problem[] {
  return Object.keys(news)
    .filter((name) => !name.startsWith("__") && !known.includes(name))
    .filter((name) => news[name] !== undefined && news[name] !== null)
    .map((property) => ({
      property,
      reason: `is no argument; did you mean ${closest(property, known)}?`,
    }));
}

/** A request's body in the wire's shape; arguments that were unknown to a new provider's preview come without a check. */
export function bodyOf<Body>(schema: z.ZodType<Body>, body: unknown, task: string): Body {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${camelPath(path)}: ${message}`);
  throw new Error(`${task}: ${problems.join("; ")}`);
}

/** What the wire's schema says against an argument; where a value is unknown it has nothing to say yet. */
export function problemsOf(schema: z.ZodType, name: string, value: unknown): Problem[] {
  const wire = isRecord(value) ? snakeKeys(value) : value;
  const parsed = schema.safeParse(wire);
  if (parsed.success) return [];
  return parsed.error.issues
    .filter((issue) => isKnown(wire, issue))
    .map((issue) => ({ property: camelPath([name, ...issue.path]), reason: reasonOf(issue) }));
}

/** An issue counts when all it rests on is known: the value itself, and for a rule across values all of them. */
function isKnown(wire: unknown, issue: z.core.$ZodIssue): boolean {
  if (issue.code === "custom" && hasUnknown(wire)) return false;
  let value = wire;
  for (const key of issue.path) {
    if (value === UNKNOWN) return false;
    if (typeof value !== "object" || value === null) return true;
    value = Reflect.get(value, key);
  }
  return value !== UNKNOWN;
}

function reasonOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined && issue.message.endsWith("undefined")
        ? "is required"
        : `must be ${issue.expected === "int" ? "a whole number" : `of type ${typeName(issue)}`}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? "must not be empty"
        : `must be at least ${issue.minimum}`;
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

/** A value that has none of the types that are taken. */
function reasonOfUnion({ errors, message }: z.core.$ZodIssueInvalidUnion): string {
  const firsts = errors.flatMap(([first]) => (first?.code === "invalid_type" ? [first] : []));
  if (firsts.length === 0 || firsts.some(({ path }) => path.length > 0)) return message;
  if (firsts.every((first) => first.message.endsWith("undefined"))) return "is required";
  return `must be of type ${firsts.map(typeName).join(" or ")}`;
}

function typeName({ expected }: z.core.$ZodIssueInvalidType): string {
  return expected === "record" ? "object" : expected;
}
