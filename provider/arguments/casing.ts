import { isRecord } from "../../shared/records";

/** The spelling of a name in Pulumi programs, as a type: `repo_url` is `repoUrl`. */
type CamelName<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail>>}`
  : Name;

/** The same of a dotted path: `source_config.repo_url` is `sourceConfig.repoUrl`. */
export type CamelPath<Path> = Path extends `${infer Head}.${infer Tail}`
  ? `${CamelName<Head>}.${CamelPath<Tail>}`
  : CamelName<Path>;

/** Members whose own members are the contract's too; every other nested name is the user's or Kubernetes' and stays. */
const NESTED = [
  "resource_spec",
  "listener_config",
  "compute_config",
  "supersteps",
  "updates",
] as const;
const NESTED_NAMES: ReadonlySet<string> = new Set(NESTED);

/** Whether the members of a wire's member are the contract's too. */
export function isNested(name: string): boolean {
  return NESTED_NAMES.has(name);
}

/** The members of a wire type in the spelling of Pulumi programs. */
export type Camel<Wire> = {
  [Name in keyof Wire as CamelName<Name>]: Name extends (typeof NESTED)[number]
    ? CamelObject<Wire[Name]>
    : Wire[Name];
};

/** The same of a value, which may be an array of objects, null or undefined. */
export type CamelObject<Value> = Value extends readonly (infer Item)[]
  ? CamelObject<Item>[]
  : Value extends object
    ? Camel<Value>
    : Value;

/** `repo_url` → `repoUrl`. */
export function camelName(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** `repoUrl` → `repo_url`. */
export function snakeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** From the contract's spelling to that of Pulumi programs. */
export function camelKeys<Wire extends object>(wire: Wire): Camel<Wire>;
export function camelKeys(wire: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return respelled(camelName, wire);
}

/** From the spelling of Pulumi programs to the contract's. */
export function snakeKeys(props: Readonly<Record<string, unknown>>): Record<string, unknown>;
export function snakeKeys<Wire extends object>(props: Camel<Wire>): Wire;
export function snakeKeys(props: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return respelled(snakeName, props);
}

function respelled(spell: (name: string) => string, record: Readonly<Record<string, unknown>>) {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside);
    return isRecord(value) ? respelled(spell, value) : value;
  };
  const entries = Object.entries(record).map(([name, value]): [string, unknown] => [
    spell(name),
    isNested(snakeName(name)) ? inside(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** A path in a request, in the user's spelling: `["source_config", "volumes", 0]` → `sourceConfig.volumes[0]`. */
export function camelPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part, depth) => {
    if (typeof part === "number") return `${text}[${part}]`;
    const name = depth < 3 ? camelName(String(part)) : String(part);
    return text === "" ? name : `${text}.${name}`;
  }, "");
}
