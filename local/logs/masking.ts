const SHORTEST_MASKED = 8;

type Secrets = readonly { readonly value: string }[];

/** What to mask of a revision's secrets, which are the same for each of its lines. */
const texts = new WeakMap<Secrets, readonly string[]>();

/**
 * Masks secret values in text. Values under 8 characters stay: hiding a `1` or a `true` would make a log unreadable.
 * Each line of a value of several lines (a private key) is masked too, since a log is split into lines.
 */
export function mask(text: string, secrets: Secrets): string {
  const masked = texts.get(secrets) ?? textsOf(secrets);
  texts.set(secrets, masked);
  return masked.reduce((rest, value) => rest.replaceAll(value, "***"), text);
}

/** The longest first: one may be part of another. */
function textsOf(secrets: Secrets): readonly string[] {
  return secrets
    .flatMap(({ value }) => [value, ...value.split(/\r?\n/)])
    .filter((value) => value.length >= SHORTEST_MASKED)
    .toSorted((a, b) => b.length - a.length);
}
