import * as ts from "typescript";
import { dynamicToken, type ResourceTypeName, RESOURCE_TYPES } from "../../provider/resource-types";
import { withFacts } from "./arguments";
import { describedWithExamples } from "./examples";
import { inputsOf } from "./functions";
import type { Sources } from "./sources";
import { type ObjectSpec, tokenOf } from "./spec";
import { membersOf, type Types } from "./types";

const NOTHING: ObjectSpec = { type: "object", properties: {}, required: [] };

/** The resources of the schema, by token. */
export function resourcesOf(sources: Sources, types: Types) {
  return Object.fromEntries(
    Object.values(RESOURCE_TYPES).map(({ type: kind, listing }) => {
      const symbol = sources.symbolOf(kind);
      const inputs = types.objectOf(kind, membersOf(sources.typeOf(argumentsOf(kind))));
      const outputs = types.objectOf(kind, ownMembers(symbol));
      const needed = neededToRead(sources, symbol);
      const stateInputs = Object.entries(inputs.properties).filter(([name]) =>
        needed.includes(name),
      );
      return [
        tokenOf(kind),
        {
          description: describedWithExamples(sources, kind),
          properties: outputs.properties,
          required: outputs.required,
          inputProperties: withFacts(kind, inputs.properties),
          requiredInputs: inputs.required,
          ...(stateInputs.length > 0 && {
            stateInputs: { type: "object", properties: Object.fromEntries(stateInputs) },
          }),
          // What `pulumi do … list` takes.
          listInputs: inputsOf(sources, types, listing.by) ?? NOTHING,
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
export function providerOf(sources: Sources, types: Types) {
  const inputs = types.objectOf("Provider", membersOf(sources.typeOf("ProviderArgs")));
  const strings = Object.entries(inputs.properties).filter(([, { type }]) => type === "string");
  return {
    description: describedWithExamples(sources, "Provider"),
    properties: Object.fromEntries(strings),
    inputProperties: inputs.properties,
  };
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
