import type { z } from "zod";
import {
  DeploymentName,
  Source,
  SourceConfigRequest,
  SourceRevisionConfig,
} from "../../sdk/schema";
import { camelPath, snakeKeys } from "../crossing";
import { hasUnknown, isRecord, type Props, UNKNOWN } from "../props";

/** A problem of one argument, in the user's spelling. */
export interface Problem {
  readonly property: string;
  readonly reason: string;
}

/** What the wire's schema says against the inputs; where a value is unknown it has nothing to say yet. */
export function shapeProblems(news: Props): Problem[] {
  return [
    ...problemsOf(Source, "source", news["source"]),
    ...((news["name"] ?? undefined) === undefined
      ? []
      : problemsOf(DeploymentName, "name", news["name"])),
    ...problemsOf(SourceConfigRequest, "source_config", news["sourceConfig"] ?? {}),
    ...problemsOf(
      SourceRevisionConfig,
      "source_revision_config",
      news["sourceRevisionConfig"] ?? {},
    ),
    ...strangers(SourceConfigRequest, "sourceConfig", news["sourceConfig"]),
    ...strangers(SourceRevisionConfig, "sourceRevisionConfig", news["sourceRevisionConfig"]),
  ];
}

function problemsOf(schema: z.ZodType, name: string, value: unknown): Problem[] {
  const wire = isRecord(value) ? snakeKeys(value) : value;
  const parsed = schema.safeParse(wire);
  if (parsed.success) return [];
  return parsed.error.issues
    .filter((issue) => isKnown(wire, issue))
    .map((issue) => ({ property: camelPath([name, ...issue.path]), reason: reasonOf(issue) }));
}

/** Members that the schema does not have, most of them misspelt. */
function strangers(schema: z.ZodObject, name: string, value: unknown): Problem[] {
  const known = Object.keys(schema.shape);
  return Object.keys(isRecord(value) ? snakeKeys(value) : {})
    .filter((key) => !known.includes(key))
    .map((key) => ({ property: camelPath([name, key]), reason: "is no field of the service" }));
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
        : `must be ${issue.expected === "int" ? "a whole number" : `of type ${issue.expected}`}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "too_small":
      return `must be at least ${issue.minimum}`;
    case "too_big":
      return `must be at most ${issue.maximum}`;
    case "invalid_format":
      return issue.format === "guid" ? "must be a UUID" : issue.message;
    default:
      return issue.message;
  }
}
