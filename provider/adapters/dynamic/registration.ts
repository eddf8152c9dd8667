import {
  createUrn,
  type CustomResourceOptions,
  getProject,
  getStack,
  type Input,
  type Inputs,
  isSecret,
  runtime,
  type Resource,
  type URN,
} from "@pulumi/pulumi";
import { EXPLICIT, NAMESPACE } from "../../../settings/source";
import { providerText } from "../../../shared/provider-text";
import { runError } from "../../resource/run-error";
import { optionInputs, PREVIEW_MARK } from "../../arguments/option-inputs";
import { dynamicToken, type ResourceType } from "../../resource-types";
import { plainTextInStack } from "../plain-secrets";
import type { Registration } from "../registration";

/**
 * Registers resources of Pulumi's dynamic provider, with a constant provider text instead of `dynamic.Resource`'s serialised
 * closure, which would put code, and all that the code captures, into the state.
 */
export const dynamicRegistration: Registration = {
  module: "pulumi-agentserver",
  // All dynamic resources share this provider: the prefix marks our settings among those of others.
  provider: { package: "pulumi-nodejs", prefix: NAMESPACE, inputs: { [EXPLICIT]: "true" } },
  tokenOf: ({ type }) => dynamicToken(type),
  hiddenInputs,
  options: (kind, name, given) => {
    if (given.import) throw notImportable(kind, name);
    const problem = plainTextInStack();
    // The engine would write it into the state, as an input of the provider that all dynamic resources share.
    if (problem !== undefined) throw runError(problem);
    return given;
  },
};

function hiddenInputs(
  { type, lifecycle }: ResourceType,
  name: string,
  options: CustomResourceOptions,
): Inputs {
  const token = dynamicToken(type);
  return {
    __provider: providerText(lifecycle),
    __urn: urnOf(name, token, options.parent),
    ...optionInputs(options),
    ...(runtime.isDryRun() && PREVIEW_MARK),
  };
}

/** Pulumi's process for dynamic providers ends an import in a `TypeError`: it looks for the provider in the state. */
function notImportable({ type, adoption }: ResourceType, name: string): Error {
  const instead = adoption === undefined ? "" : `${adoption}, or `;
  return runError(
    `${type} '${name}': the option import does not work with dynamic resources; use ${type} of pulumi-agentserver/native, ${instead}read it with ${type}.get`,
  );
}

/**
 * The resource's URN, which the provider is not told otherwise: it derives names from it and reports on the resource's
 * own line. A plain string where that is all it takes: an output costs the program time for every resource.
 */
function urnOf(name: string, token: string, parent: Resource | undefined): Input<URN> {
  if (parent !== undefined) return createUrn(name, token, urnOfParent(parent));
  return `urn:pulumi:${getStack()}::${getProject()}::${token}::${name}`;
}

/**
 * The parent's URN as a promise. As an output it would depend on the parent, and so on all children of a component: two
 * siblings would wait for each other for ever. `isSecret` is Pulumi's public way to learn that an output has failed.
 */
function urnOfParent({ urn }: Resource): Promise<URN> {
  return new Promise((resolve, reject) => {
    isSecret(urn.apply(resolve)).catch(reject);
  });
}
