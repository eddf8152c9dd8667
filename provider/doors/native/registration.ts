import { dynamicRegistration } from "../dynamic/registration";
import type { Registration } from "../registration";

/** Registers resources of the native provider. Those of the dynamic provider in a state become these without a change. */
export const nativeRegistration: Registration = {
  module: "pulumi-agentserver/native",
  tokenOf: ({ type }) => `agentserver:index:${type}`,
  hiddenInputs: () => ({}),
  // The provider marks its secrets itself.
  options: (kind, _name, given) => ({
    ...given,
    aliases: [{ type: dynamicRegistration.tokenOf(kind) }, ...(given.aliases ?? [])],
  }),
};
