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

/** A resource: what it takes, and what it has. */
export interface ResourceSpec {
  readonly description: string;
  readonly properties: Properties;
  readonly required: readonly string[];
  readonly inputProperties: Properties;
  readonly requiredInputs: readonly string[];
  readonly stateInputs?: { readonly type: "object"; readonly properties: Properties };
  /** What `pulumi do … list` takes. */
  readonly listInputs: Omit<ObjectSpec, "description">;
  readonly aliases: readonly { readonly type: string }[];
}

/** The provider: its settings. */
export interface ProviderSpec {
  readonly description: string;
  readonly properties: Properties;
  readonly inputProperties: Properties;
}

/** A function: its arguments and its result. */
export interface FunctionSpec {
  readonly description: string;
  readonly inputs?: Omit<ObjectSpec, "description">;
  readonly outputs: Omit<ObjectSpec, "description">;
}

/** All that the package offers, by token. */
export interface PackageSpec {
  readonly types: Readonly<Record<string, ObjectSpec | EnumSpec>>;
  readonly provider: ProviderSpec;
  readonly resources: Readonly<Record<string, ResourceSpec>>;
  readonly functions: Readonly<Record<string, FunctionSpec>>;
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
