import type { z } from "zod";

/** A validation error of the service, in the messages and types of pydantic. */
export interface Description {
  readonly msg: string;
  readonly type: string;
}

const TYPES: Readonly<Record<string, Description>> = {
  string: { msg: "Input should be a valid string", type: "string_type" },
  number: { msg: "Input should be a valid number", type: "float_type" },
  int: { msg: "Input should be a valid integer", type: "int_type" },
  boolean: { msg: "Input should be a valid boolean", type: "bool_type" },
  array: { msg: "Input should be a valid list", type: "list_type" },
  record: { msg: "Input should be a valid dictionary", type: "dict_type" },
  object: {
    msg: "Input should be a valid dictionary or object to extract fields from",
    type: "model_attributes_type",
  },
};

const NOT_AN_INTEGER = {
  msg: "Input should be a valid integer, unable to parse string as an integer",
  type: "int_parsing",
};
const NOT_A_BOOLEAN = {
  msg: "Input should be a valid boolean, unable to interpret input",
  type: "bool_parsing",
};
const NOT_A_UUID = { msg: "Input should be a valid UUID", type: "uuid_parsing" };

/** Describes an issue that zod found; `isText` if the value was parsed from text (a path or a query). */
export function describeIssue(issue: z.core.$ZodIssue, isText: boolean): Description {
  switch (issue.code) {
    case "invalid_type":
      return isText && (issue.expected === "number" || issue.expected === "int")
        ? NOT_AN_INTEGER
        : (TYPES[issue.expected] ?? valueError(issue.message));
    case "too_small":
      return outOfBounds("greater", issue.origin, issue.minimum, issue.inclusive ?? true);
    case "too_big":
      return outOfBounds("less", issue.origin, issue.maximum, issue.inclusive ?? true);
    case "invalid_format":
      return issue.format === "guid"
        ? NOT_A_UUID
        : { msg: `Input ${issue.message}`, type: "string_pattern_mismatch" };
    case "invalid_value":
      return isText && issue.values.includes("true")
        ? NOT_A_BOOLEAN
        : { msg: `Input ${enumReason(issue)}`, type: "enum" };
    case "unrecognized_keys":
      return { msg: "Extra inputs are not permitted", type: "extra_forbidden" };
    default:
      return valueError(issue.message);
  }
}

function enumReason({ message, values }: z.core.$ZodIssueInvalidValue): string {
  return message.startsWith("can't") ? message : `should be ${oneOf(values)}`;
}

function valueError(message: string): Description {
  return { msg: `Value error, ${message}`, type: "value_error" };
}

function outOfBounds(
  side: "greater" | "less",
  origin: string,
  bound: number | bigint,
  inclusive: boolean,
): Description {
  if (origin === "string" || origin === "array") {
    const [least, word] = side === "greater" ? ["at least", "short"] : ["at most", "long"];
    const [kind, unit] = origin === "string" ? ["String", "characters"] : ["List", "items"];
    const type = `${origin === "string" ? "string_" : ""}too_${word}`;
    return { msg: `${kind} should have ${least} ${bound} ${unit}`, type };
  }
  const type = `${side}_than${inclusive ? "_equal" : ""}`;
  return { msg: `Input should be ${side} than ${inclusive ? "or equal to " : ""}${bound}`, type };
}

function oneOf(values: readonly unknown[]): string {
  const quoted = values.map((value) => `'${String(value)}'`);
  const last = quoted.pop() ?? "";
  return quoted.length > 0 ? `${quoted.join(", ")} or ${last}` : last;
}
