import { isRecord, mapMembers, recordOf } from "../../shared/records";
import { keysOf } from "./property-path";
import { type Props, UNKNOWN } from "./props";

/** The members that mark a secret on the wire, beside its value. */
const SECRET_FORM = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const [SIGNATURE = ""] = Object.keys(SECRET_FORM);

/**
 * Properties with the values at these paths in the wire form of a secret, in which the engine encrypts also what it has not
 * known as a secret before. A path ends in a name, or in `*` for each member by itself.
 */
export function withSecrets(props: Props, paths: readonly string[]): Props {
  return paths.reduce<Props>((changed, path) => markedMembers(changed, keysOf(path)), props);
}

/** Properties with each member of these names, at any depth, likewise. */
export function withSecretNames(props: Props, names: readonly string[]): Props {
  const inside = (value: unknown, name = ""): unknown => {
    if (names.includes(name)) return marked(value, []);
    if (Array.isArray(value)) return value.map((item) => inside(item));
    return isRecord(value) && !isSecret(value) ? withSecretNames(value, names) : value;
  };
  return mapMembers(props, inside);
}

/** The names of the secrets among values in the wire's form, and of what is in them. */
export function secretNames(value: unknown, name = "", isWithin = false): string[] {
  if (isSecret(value)) return secretNames(value["value"], name, true);
  const items = Array.isArray(value) ? value.map((item): [string, unknown] => [name, item]) : [];
  const inside = [...items, ...Object.entries(recordOf(value))].flatMap(([key, member]) =>
    secretNames(member, key, isWithin),
  );
  return [...new Set(isWithin ? [name, ...inside] : inside)];
}

/** The strings of these names, at any depth. */
export function valuesNamed(names: readonly string[], value: unknown, name = ""): string[] {
  if (typeof value === "string") return names.includes(name) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => valuesNamed(names, item, name));
  return Object.entries(recordOf(value)).flatMap(([key, member]) =>
    valuesNamed(names, member, key),
  );
}

function marked(value: unknown, keys: readonly string[]): unknown {
  if (value === undefined || value === null || isSecret(value)) return value;
  // Of what is not known yet, no member is known to be no secret.
  if (keys.length === 0 || value === UNKNOWN) return { ...SECRET_FORM, value };
  return isRecord(value) ? markedMembers(value, keys) : value;
}

function markedMembers(props: Props, [first = "", ...rest]: readonly string[]): Props {
  return mapMembers(props, (member, name) =>
    first === "*" || first === name ? marked(member, rest) : member,
  );
}

/** Whether a value has the wire form of a secret. */
export function isSecret(value: unknown): value is Props {
  return isRecord(value) && Object.hasOwn(value, SIGNATURE);
}

/** A value without the wire form of secrets at any depth. */
export function withoutSecretForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecretForm);
  if (!isRecord(value)) return value;
  // An asset has the same member, and counts by the hash of its content.
  if (isSecret(value)) return withoutSecretForm("value" in value ? value["value"] : value["hash"]);
  return mapMembers(value, withoutSecretForm);
}

/** The paths of the assets in a value in the wire's form. */
export function assetPaths(value: unknown, path = ""): string[] {
  if (isSecret(value)) return "hash" in value ? [path] : assetPaths(value["value"], path);
  if (Array.isArray(value)) return value.flatMap((item, at) => assetPaths(item, `${path}[${at}]`));
  return Object.entries(recordOf(value)).flatMap(([name, member]) =>
    assetPaths(member, path ? `${path}.${name}` : name),
  );
}

/** Properties as a state keeps them, with an unknown value in the place of each that it keeps encrypted. */
export function encryptedAsUnknown(props: Props): Props {
  return mapMembers(props, withoutCiphertext);
}

function withoutCiphertext(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCiphertext);
  if (!isRecord(value)) return value;
  return isSecret(value) ? UNKNOWN : encryptedAsUnknown(value);
}
