import { dynamicToken, nativeToken } from "../../kinds";
import type { Registration } from "../registration";

/** Registers resources of the native provider. Those of the dynamic provider in a state become these without a change. */
export const nativeRegistration: Registration = {
  module: "pulumi-agentserver/native",
  provider: { package: "agentserver", prefix: "", inputs: {} },
  tokenOf: ({ type }) => nativeToken(type),
  hiddenInputs: () => ({}),
  // The provider marks its secrets itself.
  options: (kind, _name, given) => ({
    ...given,
    aliases: [{ type: dynamicToken(kind.type) }, ...(given.aliases ?? [])],
  }),
};
