import { redact } from "../../shared/redact";

/** Masks secret values in a log. Values under 8 characters stay: masking a `1` or a `true` would make it unreadable. */
export function mask(text: string, secrets: readonly { value: string }[]): string {
  const values = secrets.map(({ value }) => value);
  return redact(text, values, { minLength: 8, placeholder: "***" });
}
