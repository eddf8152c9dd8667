import type * as ts from "typescript";
import { FUNCTIONS } from "../../provider/functions";
import { describedWithExamples } from "./examples";
import { typeName } from "./names";
import type { Sources } from "./sources";
import { type ObjectSpec, type PropertySpec, referenceTo, tokenOf } from "./spec";
import { membersOf, type Types } from "./types";

/** The functions of the schema, by token. */
export function functionsOf(sources: Sources, types: Types) {
  return Object.fromEntries(
    Object.values(FUNCTIONS).map(({ name, list }) => {
      const { result } = signatureOf(sources, name);
      const inputs = inputsOf(sources, types, name);
      const outputs = list
        ? listOf(types, list, result)
        : types.objectOf(result.symbol.name, membersOf(result));
      const description = describedWithExamples(sources, name);
      return [tokenOf(name), { description, ...(inputs && { inputs }), outputs }];
    }),
  );
}

function signatureOf({ checker, symbolOf }: Sources, name: string) {
  const [signature] = checker.getTypeOfSymbol(symbolOf(name)).getCallSignatures();
  const result = signature && checker.getAwaitedType(signature.getReturnType());
  if (!signature || !result) throw new Error(`${name} is no function that returns a promise`);
  return { parameters: signature.parameters, result };
}

/** The arguments of a function; undefined for one without. */
export function inputsOf(sources: Sources, types: Types, name: string): ObjectSpec | undefined {
  const { checker } = sources;
  const args = signatureOf(sources, name).parameters.find((parameter) => parameter.name === "args");
  if (args === undefined) return undefined;
  const withoutDefault = checker.getNonNullableType(checker.getTypeOfSymbol(args));
  const inputs = types.objectOf(name, membersOf(withoutDefault));
  const { apiKey } = inputs.properties;
  const key = apiKey && { apiKey: { ...apiKey, secret: true as const } };
  return { ...inputs, properties: { ...inputs.properties, ...key } };
}

function listOf(types: Types, list: string, result: ts.Type): ObjectSpec {
  const item = result.getNumberIndexType();
  if (item === undefined) throw new Error(`the result with the member ${list} is not an array`);
  types.add(item, list);
  const items = referenceTo(typeName(item.symbol.name, list));
  const property: PropertySpec = { type: "array", items, description: "The list." };
  return { type: "object", properties: { [list]: property }, required: [list] };
}
