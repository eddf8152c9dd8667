import { mergeOptions } from "@pulumi/pulumi";
import { dynamicRegistration } from "../dynamic";
import type { Registration } from "../registration";

/** Registers resources of the native provider. Those of the dynamic provider in a state become these without a change. */
export const nativeRegistration: Registration = {
  tokenOf: ({ type }) => `agentserver:index:${type}`,
  hiddenInputs: () => ({}),
  options: (kind, _name, options) =>
    mergeOptions({ aliases: [{ type: dynamicRegistration.tokenOf(kind) }] }, options),
};
