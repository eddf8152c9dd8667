import { z } from "zod";
import { camelName, type CamelObject, isNested, snakeKeys } from "./casing";
import { isRecord } from "../../shared/records";

/** A schema of the wire in the spelling of Pulumi programs, with the wire's own rules. */
export function camelSchema<Wire>(schema: z.ZodType<Wire>): z.ZodType<CamelObject<Wire>>;
export function camelSchema(schema: z.core.$ZodType): z.core.$ZodType {
  return crossed(schema);
}

function crossed(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional) return z.optional(crossed(schema.unwrap()));
  if (schema instanceof z.ZodNullable) return z.nullable(crossed(schema.unwrap()));
  if (schema instanceof z.ZodArray)
    return new z.ZodArray({ ...schema.def, element: crossed(schema.element) });
  return schema instanceof z.ZodObject ? crossedObject(schema) : schema;
}

function crossedObject(schema: z.ZodObject): z.ZodObject {
  const members = Object.entries(schema.shape).map(([name, member]) => [
    camelName(name),
    isNested(name) ? crossed(member) : member,
  ]);
  const camel = z.object(Object.fromEntries(members));
  if (schema.def.checks === undefined) return camel;
  // A rule of the wire decides whether it applies beside other problems.
  return camel.superRefine(rulesOf(schema), { when: () => true });
}

/** The rules of an object across its members, which the wire's schema checks in the wire's spelling. */
function rulesOf(schema: z.ZodObject) {
  return (value: unknown, context: z.core.$RefinementCtx): void => {
    if (!isRecord(value)) return;
    for (const issue of schema.safeParse(snakeKeys(value)).error?.issues ?? []) {
      if (issue.code !== "custom") continue;
      const [first, ...rest] = issue.path;
      const path = first === undefined ? [] : [camelName(String(first)), ...rest];
      context.addIssue({ code: "custom", message: issue.message, path });
    }
  };
}
