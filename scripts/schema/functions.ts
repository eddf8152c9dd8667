import type * as ts from "typescript";
import { FUNCTIONS } from "../../provider/functions";
import { descriptionOf, exampleOf } from "./comment";
import { withExamples } from "./examples";
import { typeName } from "./names";
import type { Sources } from "./sources";
import {
  type FunctionSpec,
  type ObjectSpec,
  type PropertySpec,
  referenceTo,
  tokenOf,
} from "./spec";
import { membersOf, type Types } from "./types";

/** The functions of the schema, by token. */
export function functionsOf(sources: Sources, types: Types): Record<string, FunctionSpec> {
  return Object.fromEntries(
    Object.values(FUNCTIONS).map(({ name, list }) => {
      const symbol = sources.symbolOf(name);
      const { result } = signatureOf(sources, symbol);
      const inputs = inputsOf(sources, types, name);
      return [
        tokenOf(name),
        {
          description: withExamples(
            descriptionOf(sources, symbol),
            name,
            exampleOf(sources, symbol),
          ),
          ...(inputs && { inputs }),
          outputs:
            list === undefined
              ? types.objectOf(result.symbol.name, membersOf(result))
              : listOf(types, list, result),
        },
      ];
    }),
  );
}

function signatureOf({ checker }: Sources, symbol: ts.Symbol) {
  const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures();
  const result = signature && checker.getAwaitedType(signature.getReturnType());
  if (!signature || !result)
    throw new Error(`${symbol.name} is no function that returns a promise`);
  return { parameters: signature.parameters, result };
}

function withoutDefault({ checker }: Sources, parameter: ts.Symbol): ts.Type {
  return checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
}

/** The arguments of a function; undefined for one without. */
export function inputsOf(sources: Sources, types: Types, name: string) {
  const { parameters } = signatureOf(sources, sources.symbolOf(name));
  const args = parameters.find((parameter) => parameter.name === "args");
  if (args === undefined) return undefined;
  const inputs = types.objectOf(name, membersOf(withoutDefault(sources, args)));
  const entries = Object.entries(inputs.properties).map(([member, property]) => [
    member,
    member === "apiKey" ? { ...property, secret: true } : property,
  ]);
  return { ...inputs, properties: Object.fromEntries(entries) };
}

function listOf(types: Types, list: string, result: ts.Type): Omit<ObjectSpec, "description"> {
  const item = result.getNumberIndexType();
  if (item === undefined) throw new Error(`the result with the member ${list} is not an array`);
  types.add(item, list);
  const items = referenceTo(typeName(item.symbol.name, list));
  const property: PropertySpec = { type: "array", items, description: "The list." };
  return { type: "object", properties: { [list]: property }, required: [list] };
}
