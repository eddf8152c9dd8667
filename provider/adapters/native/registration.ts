import { dynamicToken, nativeToken } from "../../resource-types";
import { warnOfPlainText } from "../plain-secrets";
import type { Registration } from "../registration";

/** Registers resources of the native provider. Those of the dynamic provider in a state become these without a change. */
export const nativeRegistration: Registration = {
  module: "pulumi-agentserver/native",
  provider: { package: "agentserver", prefix: "", inputs: {} },
  tokenOf: ({ type }) => nativeToken(type),
  hiddenInputs: () => ({}),
  // The provider marks its secrets itself, those of the settings too. It is not told which the configuration encrypts.
  options: (kind, _name, given) => {
    warnOfPlainText();
    return { ...given, aliases: [{ type: dynamicToken(kind.type) }, ...(given.aliases ?? [])] };
  },
};
