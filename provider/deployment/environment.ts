import type { Secret } from "../../sdk";
import { recordOf } from "../../shared/records";
import type { Props } from "../inputs/props";

type Variables = Readonly<Record<string, string>>;

/** Whether the program owns the deployment's environment: it does once `env` or `secrets` is given. */
export function ownsEnvironment(props: Props): boolean {
  return [props["env"], props["secrets"]].some((given) => given !== undefined && given !== null);
}

/** `env` and `secrets` together, by name. */
export function variablesOf(props: Props): Variables {
  const both = { ...recordOf(props["env"]), ...recordOf(props["secrets"]) };
  return Object.fromEntries(Object.entries(both).map(([name, value]) => [name, String(value)]));
}

/** The API's array, sorted by name so that equal environments are equal requests. */
export function toSecrets(variables: Variables): Secret[] {
  return Object.entries(variables)
    .map(([name, value]) => ({ name, value }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function fromSecrets(secrets: readonly Secret[]): Variables {
  return Object.fromEntries(secrets.map(({ name, value }) => [name, value]));
}

/** Names of variables that differ, sorted. */
export function differences(olds: Variables, news: Variables) {
  const names = [...new Set([...Object.keys(olds), ...Object.keys(news)])].toSorted();
  return {
    added: names.filter((name) => !Object.hasOwn(olds, name)),
    removed: names.filter((name) => !Object.hasOwn(news, name)),
    changed: names.filter(
      (name) => Object.hasOwn(olds, name) && Object.hasOwn(news, name) && olds[name] !== news[name],
    ),
  };
}

/**
 * What the service's environment means for the declared one: a variable keeps its place, one that is gone is gone, and
 * one that was added elsewhere is taken for a secret. With nothing declared the environment is not the program's.
 */
export function observedEnvironment(
  props: Props,
  secrets: readonly Secret[] | null | undefined,
): { env?: Variables; secrets?: Variables } {
  const env = props["env"] ?? undefined;
  const declaredSecrets = props["secrets"] ?? undefined;
  if (!ownsEnvironment(props) || !secrets)
    return {
      ...(env !== undefined && { env: stringsOf(env) }),
      ...(declaredSecrets !== undefined && { secrets: stringsOf(declaredSecrets) }),
    };
  const observed = Object.entries(fromSecrets(secrets));
  const plain = observed.filter(([name]) => Object.hasOwn(recordOf(env), name));
  const secret = observed.filter(([name]) => !Object.hasOwn(recordOf(env), name));
  return {
    ...(env !== undefined && { env: Object.fromEntries(plain) }),
    ...((declaredSecrets !== undefined || secret.length > 0) && {
      secrets: Object.fromEntries(secret),
    }),
  };
}

function stringsOf(value: unknown): Variables {
  return Object.fromEntries(Object.entries(recordOf(value)).map(([k, v]) => [k, String(v)]));
}
