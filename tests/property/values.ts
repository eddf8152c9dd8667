import fc from "fast-check";
import { z } from "zod";
import { recordOf } from "../../shared/records";

/** The part of JSON Schema that the control plane's document uses. */
const Schema = z.object({
  $ref: z.string().optional(),
  anyOf: z.array(z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minLength: z.int().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  additionalProperties: z.unknown().optional(),
});
type Schema = z.infer<typeof Schema>;

export class SchemaValues {
  readonly #document: unknown;
  readonly #named: Readonly<Record<string, fc.Arbitrary<unknown>>>;

  /** `named` are the values of members that must be known elsewhere, such as ids, by the member's name. */
  constructor(document: unknown, named: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
    this.#document = document;
    this.#named = named;
  }

  of(described: unknown): fc.Arbitrary<unknown> {
    const schema = Schema.parse(described);
    if (schema.$ref !== undefined) return this.of(at(this.#document, schema.$ref));
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => this.of(one)));
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (schema.type === undefined) return fc.jsonValue({ maxDepth: 2 });
    return fc.oneof(...[schema.type].flat().map((type) => this.#ofType(type, schema)));
  }

  #ofType(type: string, schema: Schema): fc.Arbitrary<unknown> {
    switch (type) {
      case "null":
        return fc.constant(null);
      case "boolean":
        return fc.boolean();
      case "integer":
        return fc.integer(bounds(schema));
      case "number":
        return fc.double({ ...bounds(schema), noNaN: true, noDefaultInfinity: true });
      case "string":
        return stringOf(schema);
      case "array":
        return fc.array(this.of(schema.items), { maxLength: 3 });
      default:
        return this.#object(schema);
    }
  }

  #object({ properties, required, additionalProperties }: Schema): fc.Arbitrary<unknown> {
    if (!properties)
      return fc.dictionary(fc.string(), this.of(additionalProperties ?? {}), { maxKeys: 3 });
    const members = Object.entries(properties).map(([name, schema]) => {
      const value = this.#named[name] ?? this.of(schema);
      return [name, required.includes(name) ? value : rarely(value)] as const;
    });
    return fc.record(Object.fromEntries(members)).map(withoutUndefined);
  }
}

/** Most members are left out: what belongs to different sources is refused together. */
const rarely = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, value);

const withoutUndefined = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));

function bounds({ minimum, maximum }: Schema) {
  return {
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
  };
}

function stringOf({ format, pattern, minLength = 0 }: Schema): fc.Arbitrary<string> {
  if (format === "uuid") return fc.uuid();
  if (format === "uri") return fc.webUrl();
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.oneof(
    { weight: 8, arbitrary: fc.string({ minLength, unit: "binary" }) },
    fc.constantFrom("\0", "\ud800"),
  );
}

/** The value at a JSON pointer such as `#/components/schemas/Deployment`. */
function at(document: unknown, pointer: string): unknown {
  const parts = pointer.split("/").slice(1);
  return parts.reduce<unknown>((value, part) => recordOf(value)[part], document);
}
