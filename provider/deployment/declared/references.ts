import type { SecretReference } from "../../../sdk/schema/deployment";
import { recordOf } from "../../../shared/records";
import type { Camel } from "../../arguments/casing";
import { known, Unknown } from "../../arguments/decode";
import { hasUnknown } from "../../arguments/props";
import type { Variables } from "./environment";

/** Variables from Kubernetes Secrets, sorted by name. */
export type References = readonly Camel<SecretReference>[];

/** Reads the argument `secretReferences`. */
export function referencesIn(value: unknown): References | Unknown | undefined {
  if (!Array.isArray(value)) return undefined;
  if (hasUnknown(value)) return Unknown;
  return value
    .map((item) => recordOf(item))
    .map(({ name, secretName, secretKey }) => ({
      name: String(name),
      secretName: String(secretName),
      secretKey: String(secretKey),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Each as one text, so that they are compared by name as variables are. */
export function referencesByName(references: References | Unknown | undefined): Variables {
  return Object.fromEntries(
    (known(references) ?? []).map(({ name, ...secret }) => [name, Object.values(secret).join("/")]),
  );
}
