import * as ts from "typescript";
import { dynamicToken, type ResourceTypeName, RESOURCE_TYPES } from "../../provider/resource-types";
import { withFacts } from "./arguments";
import { descriptionOf, exampleOf } from "./comment";
import { withExamples } from "./examples";
import { inputsOf } from "./functions";
import type { Sources } from "./sources";
import { type ProviderSpec, type ResourceSpec, tokenOf } from "./spec";
import { membersOf, type Types } from "./types";

const NOTHING = { type: "object", properties: {}, required: [] } as const;

/** The resources of the schema, by token. */
export function resourcesOf(sources: Sources, types: Types): Record<string, ResourceSpec> {
  return Object.fromEntries(
    Object.values(RESOURCE_TYPES).map(({ type: kind }) => {
      const symbol = sources.symbolOf(kind);
      const inputs = types.objectOf(kind, membersOf(sources.typeOf(argumentsOf(kind))));
      const outputs = types.objectOf(kind, ownMembers(symbol));
      const stateInputs = neededToRead(sources, symbol);
      return [
        tokenOf(kind),
        {
          description: described(sources, symbol),
          properties: outputs.properties,
          required: outputs.required,
          inputProperties: withFacts(kind, inputs.properties),
          requiredInputs: inputs.required,
          ...(stateInputs.length > 0 && {
            stateInputs: {
              type: "object" as const,
              properties: Object.fromEntries(
                Object.entries(inputs.properties).filter(([name]) => stateInputs.includes(name)),
              ),
            },
          }),
          listInputs: inputsOf(sources, types, RESOURCE_TYPES[kind].listing.by) ?? NOTHING,
          aliases: [{ type: dynamicToken(kind) }],
        },
      ];
    }),
  );
}

/** The interface that has the arguments of all sources. */
function argumentsOf(kind: ResourceTypeName): string {
  return kind === "Deployment" ? "AnySourceDeploymentArgs" : `${kind}Args`;
}

/** The provider of the schema: its settings are outputs too where they are strings, as Pulumi wants it. */
export function providerOf(sources: Sources, types: Types): ProviderSpec {
  const inputs = types.objectOf("Provider", membersOf(sources.typeOf("ProviderArgs")));
  const strings = Object.entries(inputs.properties).filter(([, { type }]) => type === "string");
  return {
    description: described(sources, sources.symbolOf("Provider")),
    properties: Object.fromEntries(strings),
    inputProperties: inputs.properties,
  };
}

function described(sources: Sources, symbol: ts.Symbol): string {
  return withExamples(descriptionOf(sources, symbol), symbol.name, exampleOf(sources, symbol));
}

/** The properties that a class declares itself: its outputs. */
function ownMembers({ members = new Map() }: ts.Symbol): ts.Symbol[] {
  return [...members.values()].filter(({ flags }) => flags & ts.SymbolFlags.Property);
}

/** The arguments that `get` takes beside the id. */
function neededToRead({ checker }: Sources, { exports }: ts.Symbol): string[] {
  const get = exports?.get(ts.escapeLeadingUnderscores("get"));
  const [signature] = get ? checker.getTypeOfSymbol(get).getCallSignatures() : [];
  const server = signature?.parameters.find(({ name }) => name === "server");
  return server ? membersOf(checker.getTypeOfSymbol(server)).map(({ name }) => name) : [];
}
