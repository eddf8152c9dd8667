import { redactor } from "../../shared/redact";

type Secrets = readonly { readonly value: string }[];

/** By the secrets of a revision, which are the same for each line of its logs. */
const redactors = new WeakMap<Secrets, (text: string) => string>();

/** Masks secret values in a log. Values under 8 characters stay: masking a `1` or a `true` would make it unreadable. */
export function mask(text: string, secrets: Secrets): string {
  const redact = redactors.get(secrets) ?? redactorOf(secrets);
  redactors.set(secrets, redact);
  return redact(text);
}

function redactorOf(secrets: Secrets): (text: string) => string {
  const values = secrets.map(({ value }) => value);
  return redactor(values, { minLength: 8, placeholder: "***" });
}
