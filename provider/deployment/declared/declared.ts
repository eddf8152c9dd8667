import { isRecord, recordOf, textOf } from "../../../shared/records";
import { optionsIn, type SeenOptions } from "../../arguments/option-inputs";
import { type Props, UNKNOWN, valueAt } from "../../arguments/props";
import { ARGUMENTS, type ArgumentPath } from "./argument-table";
import { type Environment, environmentOf } from "./environment";
import { declaredSpec, type Spec } from "./resource-spec";
import type { Until } from "../service/status";

/** How the deployed agent server is checked; `smokeCheck: true` is all defaults. */
export interface SmokeCheck {
  readonly apiKey: string | undefined;
  readonly graphId: string | undefined;
  readonly timeoutSeconds: number;
}

/**
 * What a program declares for a deployment, read from its inputs once. A value that is not known yet is `UNKNOWN`; null
 * and absent are both undefined.
 */
export interface Declared extends SeenOptions {
  /** The inputs as they are stored in the state, with our hidden ones. */
  readonly inputs: Props;
  /** The value at each argument's path. `buildOnPush` of a git source defaults to false. */
  readonly values: Readonly<Partial<Record<ArgumentPath, unknown>>>;
  readonly name: string | undefined;
  readonly isNameDerived: boolean;
  /** Members of the resource spec that are not null. */
  readonly spec: Spec;
  readonly environment: Environment;
  readonly until: Until;
  /** For the wait and for the end of a deletion; undefined for the setting's value. */
  readonly timeoutSeconds: number | undefined;
  readonly smokeCheck: SmokeCheck | undefined;
  /** Whether a failed update puts the old values back. */
  readonly rollsBack: boolean;
  readonly adoptsExisting: boolean;
}

/** Reads inputs, or the outputs of a state, which hold the inputs it was made with. */
export function declaredBy(inputs: Props): Declared {
  const until = valueAt(inputs, "wait.until");
  const timeoutSeconds = valueAt(inputs, "wait.timeoutSeconds");
  return {
    inputs,
    values: Object.fromEntries(ARGUMENTS.map(({ path }) => [path, valueOf(inputs, path)])),
    name: textOf(inputs["name"]),
    isNameDerived: inputs["__nameDerived"] === true,
    spec: declaredSpec(inputs),
    environment: environmentOf(inputs),
    until: until === "deployed" || until === "none" ? until : "active",
    timeoutSeconds: typeof timeoutSeconds === "number" ? timeoutSeconds : undefined,
    smokeCheck: smokeCheckOf(inputs["smokeCheck"]),
    rollsBack: inputs["onFailure"] === "rollback",
    adoptsExisting: inputs["adoptExisting"] === true,
    ...optionsIn(inputs),
  };
}

function valueOf(inputs: Props, path: ArgumentPath): unknown {
  const value = valueAt(inputs, path);
  const isDefault = path === "sourceConfig.buildOnPush" && value === undefined;
  return isDefault && inputs["source"] === "git_host" ? false : value;
}

const SMOKE_CHECK_SECONDS = 60;

function smokeCheckOf(declared: unknown): SmokeCheck | undefined {
  if (declared !== true && !isRecord(declared)) return undefined;
  const { apiKey, graphId, timeoutSeconds } = recordOf(declared);
  return {
    apiKey: textOf(apiKey),
    graphId: textOf(graphId),
    timeoutSeconds: typeof timeoutSeconds === "number" ? timeoutSeconds : SMOKE_CHECK_SECONDS,
  };
}

/** Whether a name is given or derived, and known. */
export function isKnownName(name: string | undefined): name is string {
  return name !== undefined && name !== UNKNOWN;
}
