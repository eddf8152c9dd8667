import type { Deployment, Secret } from "../../../sdk";
import { recordOf } from "../../../shared/records";
import { isReserved } from "../../../shared/reserved-names";
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

/** Both arguments, and the environment that they come to. */
type EnvironmentValues = Pick<Environment, "env" | "secrets"> & {
  readonly environment: Environment;
};

function valuesOf(values: Pick<Environment, "env" | "secrets">): EnvironmentValues {
  return { ...values, environment: environmentOf(values) };
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

/** What services show in the place of a value. `*` alone is one, as of `CORS_ORIGINS`. */
const MASK = /^([*•●]{3,}|\[redacted\]|<redacted>)$/i;

/** The variables that a response shows; unknown where it has a mask or no value, or where all are empty. */
export function shownVariables({ secrets }: Pick<Deployment, "secrets">): Variables | undefined {
  const shown = secrets?.map(({ name, value = null }): [string, string | Unknown] => {
    return [name, value === null || MASK.test(value) ? Unknown : value];
  });
  const hasValues = shown?.some(([, value]) => value !== Unknown && value !== "");
  return shown && Object.fromEntries(hasValues ? shown : shown.map(([name]) => [name, Unknown]));
}

/**
 * The declared environment with the service's values: a variable keeps its place, and its value where none is shown; one
 * that is gone is gone; and one that was added elsewhere counts as a secret, empty where its value is not shown, but for
 * those that services add themselves. An environment that the program does not own is left out.
 */
export function observedEnvironment(
  environment: Environment,
  shown: Variables | undefined,
): EnvironmentValues {
  const { env, secrets, variables, isOwned } = environment;
  if (!isOwned || !shown) return { env, secrets, environment };
  const recorded = new Map(Object.entries(variables));
  const observed = Object.entries(shown)
    .filter(([name]) => recorded.has(name) || !isReserved(name))
    .map(([name, value]): [string, string | Unknown] => [
      name,
      value === Unknown ? (recorded.get(name) ?? "") : value,
    ]);
  const isPlain = ([name]: [string, unknown]): boolean => Object.hasOwn(env ?? {}, name);
  const others = observed.filter((variable) => !isPlain(variable));
  return valuesOf({
    env: env && Object.fromEntries(observed.filter(isPlain)),
    secrets: secrets !== undefined || others.length > 0 ? Object.fromEntries(others) : undefined,
  });
}

/** An environment with the values that a response shows; the others are unknown. */
export function shownEnvironment(
  { env, secrets }: Environment,
  shown: Variables | undefined,
): EnvironmentValues {
  const asShown = (own: Variables | undefined): Variables | undefined =>
    own && Object.fromEntries(Object.keys(own).map((name) => [name, shown?.[name] ?? Unknown]));
  return valuesOf({ env: asShown(env), secrets: asShown(secrets) });
}

/** Variables in a sentence, by their names alone: `variables A, B`. */
export function describeNames(names: readonly string[]): string {
  return `variable${names.length > 1 ? "s" : ""} ${names.toSorted().join(", ")}`;
}
