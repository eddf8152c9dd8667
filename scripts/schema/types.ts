import * as ts from "typescript";
import { descriptionOf } from "./comment";
import { enumOf, isFraction, typeName } from "./names";
import type { Sources } from "./sources";
import { ANY, referenceTo, tokenOf } from "./spec";
import type { EnumSpec, ObjectSpec, PropertySpec, TypeSpec } from "./spec";
import { isSecret } from "./secret";

/** The types of the schema, collected while the properties that name them are read. */
export class Types {
  readonly #sources: Sources;
  readonly #specs = new Map<string, ObjectSpec | EnumSpec>();

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** All collected types by token, sorted. */
  collected(): Record<string, ObjectSpec | EnumSpec> {
    const sorted = [...this.#specs].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, spec]) => [tokenOf(name), spec]));
  }

  /** Adds the type of the items of a list. */
  add(type: ts.Type, place: string): void {
    this.#typeOf(type, place, place);
  }

  /** The properties of an object. `owner` is its name in the schema. */
  objectOf(owner: string, members: readonly ts.Symbol[]): ObjectSpec {
    const { checker } = this.#sources;
    const isAlwaysThere = (member: ts.Symbol): boolean =>
      !(member.flags & ts.SymbolFlags.Optional) && !mayBeNull(checker.getTypeOfSymbol(member));
    return {
      type: "object",
      properties: Object.fromEntries(
        members.map((member) => [member.name, this.#propertyOf(owner, member)]),
      ),
      required: members.filter(isAlwaysThere).map(({ name }) => name),
    };
  }

  #propertyOf(owner: string, member: ts.Symbol): PropertySpec {
    const { name } = member;
    const description = descriptionOf(this.#sources, member);
    return {
      ...this.#typeOf(this.#sources.checker.getTypeOfSymbol(member), name, `${owner}.${name}`),
      ...(description !== "" && { description }),
      ...(isSecret(owner, name) && { secret: true }),
    };
  }

  /** `place` is where the type stands; `name` is the property's. */
  #typeOf(declared: ts.Type, name: string, place: string): TypeSpec {
    const { checker } = this.#sources;
    const parts = plain(declared);
    if (parts.length === 0) return ANY;
    if (parts.every((part) => part.isStringLiteral()) && parts.length > 1)
      return this.#enum(parts.map((part) => part.value));
    const [type, ...others] = parts.every(isBoolean)
      ? parts
      : parts.filter((part) => !isBoolean(part));
    if (type === undefined || (others.length > 0 && !isBoolean(type)))
      throw new Error(`${place} has a union that the schema has no type for`);
    if (isBoolean(type)) return { type: "boolean" };
    if (type.flags & ts.TypeFlags.StringLike) return { type: "string" };
    if (type.flags & ts.TypeFlags.NumberLike)
      return { type: isFraction(name) ? "number" : "integer" };
    if (checker.isArrayType(type)) {
      const item = type.getNumberIndexType();
      return { type: "array", items: item ? this.#typeOf(item, name, place) : ANY };
    }
    const values = type.getStringIndexType();
    if (values !== undefined && membersOf(type).length === 0)
      return { type: "object", additionalProperties: this.#typeOf(values, name, place) };
    return this.#object(type, place);
  }

  #object(type: ts.Type, place: string): TypeSpec {
    const symbol = type.aliasSymbol ?? type.symbol;
    const name = typeName(symbol.name, place);
    const known = this.#specs.get(name);
    if (known === undefined)
      this.#specs.set(name, {
        description: descriptionOf(this.#sources, symbol),
        ...this.objectOf(name, membersOf(type)),
      });
    else expectSameMembers(name, symbol.name, known, membersOf(type));
    return referenceTo(name);
  }

  #enum(strings: readonly string[]): TypeSpec {
    const { name, description, values } = enumOf(strings);
    this.#specs.set(name, {
      description,
      type: "string",
      enum: values.map((value) => ({ name: pascal(value), value })),
    });
    return referenceTo(name);
  }
}

/** A type of inputs is that of outputs too: both have the same members. */
function expectSameMembers(
  name: string,
  declared: string,
  known: ObjectSpec | EnumSpec,
  members: readonly ts.Symbol[],
): void {
  const list = (names: readonly string[]): string => names.toSorted().join(", ");
  const one = list(Object.keys("properties" in known ? known.properties : {}));
  const other = list(members.map((member) => member.name));
  if (one !== other) throw new Error(`${name} has ${one}; ${declared} has ${other}`);
}

/** The properties of an object type, methods not among them. */
export function membersOf(type: ts.Type): ts.Symbol[] {
  return type.getProperties().filter(({ flags }) => !(flags & ts.SymbolFlags.Method));
}

/** The type of a known value: without null and undefined. */
function plain(type: ts.Type): ts.Type[] {
  const any = ts.TypeFlags.Any | ts.TypeFlags.Unknown;
  return valuesIn(type).filter(({ flags }) => !(flags & (NOTHING | any)));
}

const NOTHING = ts.TypeFlags.Undefined | ts.TypeFlags.Null;

function mayBeNull(type: ts.Type): boolean {
  return valuesIn(type).some(({ flags }) => flags & NOTHING);
}

/** The types that a value may have, whether it is known now, promised or an output. */
function valuesIn(type: ts.Type): ts.Type[] {
  if (type.isUnion()) return [...new Set(type.types.flatMap(valuesIn))];
  if (type.isIntersection()) return valuesOfIntersection(type.types);
  const [value] = isWrapper(type) ? (type.typeArguments ?? []) : [];
  return value ? valuesIn(value) : [type];
}

/** An output is an instance of it, and the members of its value. A literal may have a brand. */
function valuesOfIntersection(parts: readonly ts.Type[]): ts.Type[] {
  const value = parts.find(isWrapper) ?? parts.find((part) => part.isStringLiteral());
  return value ? valuesIn(value) : [];
}

/** A value that is known later. */
function isWrapper(type: ts.Type): type is ts.TypeReference {
  return ["Promise", "OutputInstance"].includes(type.symbol?.name ?? "");
}

function isBoolean({ flags }: ts.Type): boolean {
  return (flags & ts.TypeFlags.BooleanLike) !== 0;
}

/** `dev_free` is `DevFree`. */
function pascal(value: string): string {
  return value.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}
