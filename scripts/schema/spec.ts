/** A type in Pulumi's schema. */
export interface TypeSpec {
  readonly type?: "string" | "number" | "integer" | "boolean" | "array" | "object";
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
}

/** A property of a resource, a type or a function. */
export interface PropertySpec extends TypeSpec {
  readonly description?: string;
  readonly secret?: true;
  readonly willReplaceOnChanges?: true;
}

export type Properties = Readonly<Record<string, PropertySpec>>;

/** Properties by name, and the names of those that are always there. */
export interface ObjectSpec {
  readonly description?: string;
  readonly type: "object";
  readonly properties: Properties;
  readonly required: readonly string[];
}

/** The values that a string may have. */
export interface EnumSpec {
  readonly description: string;
  readonly type: "string";
  readonly enum: readonly { readonly name: string; readonly value: string }[];
}

/** The type of any value. */
export const ANY: TypeSpec = { $ref: "pulumi.json#/Any" };

/** The token of something of this package. */
export function tokenOf(name: string): string {
  return `agentserver:index:${name}`;
}

/** The name in a token, or in a reference to a type. */
export function nameIn(token: string): string {
  return token.split(":").at(-1) ?? token;
}

/** A reference to a type of this package. */
export function referenceTo(name: string): TypeSpec {
  return { $ref: `#/types/${tokenOf(name)}` };
}
