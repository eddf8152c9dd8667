import type { Secret } from "../../../sdk";
import { recordOf } from "../../../shared/records";
import { Unknown } from "../../arguments/decode";
import { UNKNOWN } from "../../arguments/props";

/** Values of environment variables by name. */
export type Variables = Readonly<Record<string, string | Unknown>>;

/** The environment of a deployment, declared or observed. */
export interface Environment {
  /** Undefined where `env` is not set; without names where it is not known. */
  readonly env: Variables | undefined;
  /** The same of `secrets`. */
  readonly secrets: Variables | undefined;
  /** Both together. */
  readonly variables: Variables;
  /** Whether the program owns the deployment's environment: once it sets `env` or `secrets`. */
  readonly isOwned: boolean;
  /** Whether there may be other variables, since `env` or `secrets` is unknown as a whole. */
  readonly hasUnknownNames: boolean;
}

/** `env` and `secrets` together. */
export function environmentOf({
  env,
  secrets,
}: Readonly<Record<"env" | "secrets", Variables | Unknown | undefined>>): Environment {
  const both = { env: env === Unknown ? {} : env, secrets: secrets === Unknown ? {} : secrets };
  return {
    ...both,
    variables: { ...both.env, ...both.secrets },
    isOwned: both.env !== undefined || both.secrets !== undefined,
    hasUnknownNames: env === Unknown || secrets === Unknown,
  };
}

/** Reads the argument `env` or `secrets`. */
export function variablesIn(value: unknown): Variables | undefined {
  if (value === undefined || value === null) return undefined;
  const entries = Object.entries(recordOf(value));
  return Object.fromEntries(
    entries.map(([name, item]) => [name, item === UNKNOWN ? Unknown : String(item)]),
  );
}

/** The variables whose values are known. */
export function knownVariables(variables: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value === Unknown ? [] : [[name, value]],
    ),
  );
}

/** The API's array, sorted by name so that equal environments are equal requests. */
export function toSecrets(variables: Variables): Secret[] {
  return Object.entries(knownVariables(variables))
    .map(([name, value]) => ({ name, value }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function fromSecrets(secrets: readonly Secret[]): Record<string, string> {
  return Object.fromEntries(secrets.map(({ name, value }) => [name, value]));
}

/** Variables in a sentence, by their names alone: `variables A, B`. */
export function describeNames(names: readonly string[]): string {
  return `variable${names.length > 1 ? "s" : ""} ${names.toSorted().join(", ")}`;
}
