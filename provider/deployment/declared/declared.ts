import { known } from "../../arguments/decode";
import { optionsIn, type SeenOptions } from "../../arguments/option-inputs";
import type { Props } from "../../arguments/props";
import { type ArgumentValues, deploymentArguments } from "./argument-table";
import { type Environment, environmentOf } from "./environment";

/** When a wait ends: when the revision serves, when it is deployed, or at once. */
export type Until = "active" | "deployed" | "none";

/** Values of a deployment's arguments by path, declared or observed. */
export interface Values extends ArgumentValues {
  readonly isNameDerived: boolean;
  /** `env` and `secrets` together. */
  readonly environment: Environment;
}

/** The declared state of a deployment, decoded from its inputs once. */
export interface Declared extends Values, SeenOptions {
  /** The inputs as they are stored in the state, with our hidden ones. */
  readonly props: Props;
  readonly until: Until;
  /** For the wait and for the end of a deletion; undefined for the setting's value. */
  readonly timeoutSeconds: number | undefined;
  /** Whether a failed update puts the old values back. */
  readonly rollsBack: boolean;
}

/** Reads inputs, or the outputs of a state, which hold the inputs it was made with. */
export function declaredBy(props: Props): Declared {
  const values = valuesOf(props);
  const wait = known(values.wait);
  const until = wait?.until;
  return {
    ...values,
    ...optionsIn(props),
    until: until === "deployed" || until === "none" ? until : "active",
    timeoutSeconds: known(wait?.timeoutSeconds),
    rollsBack: values.onFailure === "rollback",
  };
}

/** The values of the arguments alone. */
export function valuesOf(props: Props): Values & Pick<Declared, "props"> {
  const values = deploymentArguments.decode(props);
  const isNameDerived = props["__nameDerived"] === true;
  return { ...values, environment: environmentOf(values), isNameDerived };
}

/** A declared state with other values, written into its inputs too; undefined removes one. */
export function withArguments(declared: Declared, values: Partial<ArgumentValues>): Declared {
  const changed = deploymentArguments.withValues(declared, values);
  return { ...changed, environment: environmentOf(changed) };
}
