import type * as ts from "typescript";
import * as deployment from "../../provider/functions/declarations/deployment";
import * as integration from "../../provider/functions/declarations/integration";
import * as listener from "../../provider/functions/declarations/listener";
import * as oauthProvider from "../../provider/functions/declarations/oauth-provider";
import * as revision from "../../provider/functions/declarations/revision";
import * as thread from "../../provider/functions/declarations/thread";
import * as threadState from "../../provider/functions/declarations/thread-state";
import { descriptionOf, exampleOf } from "./comment";
import { withExamples } from "./examples";
import { typeName } from "./names";
import type { Sources } from "./sources";
import { type ObjectSpec, type PropertySpec, referenceTo, tokenOf } from "./spec";
import { membersOf, type Types } from "./types";

/** A function as the native provider serves it. */
interface Declared {
  readonly name: string;
  /** The member of the result that is the list, for a function that lists: a result is an object on the wire. */
  readonly list: string | undefined;
}

const MODULES: readonly { readonly one: Declared; readonly every: Declared }[] = [
  deployment,
  integration,
  listener,
  oauthProvider,
  revision,
  thread,
  threadState,
];

/** The functions of the schema, by token. */
export function functionsOf(sources: Sources, types: Types): Record<string, object> {
  return Object.fromEntries(
    MODULES.flatMap(({ one, every }) => [one, every]).map(({ name, list }) => {
      const symbol = sources.symbolOf(name);
      const { parameters, result } = signatureOf(sources, symbol);
      const args = parameters.find((parameter) => parameter.name === "args");
      const inputs = args && membersOf(withoutDefault(sources, args));
      return [
        tokenOf(name),
        {
          description: withExamples(
            descriptionOf(sources, symbol),
            name,
            exampleOf(sources, symbol),
          ),
          ...(inputs && { inputs: inputsOf(types, name, inputs) }),
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

function inputsOf(types: Types, name: string, members: readonly ts.Symbol[]) {
  const inputs = types.objectOf(name, members);
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
