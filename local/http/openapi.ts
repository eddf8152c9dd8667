import { isRecord, mapMembers, recordOf } from "../../shared/records";

const REFERENCE = "#/components/schemas/";

/**
 * Lets the references to a component allow null, and not the component itself: generators take the schema of an object
 * that may be null for no model.
 */
export function withoutNullComponents(document: object): unknown {
  const components = recordOf(recordOf(document)["components"]);
  const schemas = Object.entries(recordOf(components["schemas"]));
  const nullable = schemas.filter(([, schema]) => mayBeNull(schema)).map(([name]) => name);
  const change = (schema: Record<string, unknown>): Record<string, unknown> => {
    const name = String(schema["$ref"]).replace(REFERENCE, "");
    return nullable.includes(name) ? { anyOf: [schema, { type: "null" }] } : schema;
  };
  const changed = recordOf(walk(document, change));
  const others = recordOf(recordOf(changed["components"])["schemas"]);
  const objects = nullable.map((name) => [name, { ...recordOf(others[name]), type: "object" }]);
  const all = { ...others, ...Object.fromEntries(objects) };
  return { ...changed, components: { ...recordOf(changed["components"]), schemas: all } };
}

/** States the limits of integers: a number of JSON is exact between these. */
export function withLimits(document: unknown): unknown {
  return walk(document, (schema) =>
    typesOf(schema).includes("integer")
      ? { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...schema }
      : schema,
  );
}

function mayBeNull(schema: unknown): boolean {
  const types = typesOf(recordOf(schema));
  return types.includes("object") && types.includes("null");
}

function typesOf({ type }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(type) ? type : [type];
}

/** Changes the objects of a document, the innermost first. */
function walk(
  value: unknown,
  change: (schema: Record<string, unknown>) => Record<string, unknown>,
): unknown {
  if (Array.isArray(value)) return value.map((item) => walk(item, change));
  if (!isRecord(value)) return value;
  return change(mapMembers(value, (member) => walk(member, change)));
}
