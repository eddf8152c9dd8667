/** What stands in the place of a secret value. */
const REMOVED = "[secret]";

/** Shorter values are ordinary words: removing them would hide the text and no secret. */
const SHORTEST_SECRET = 4;

/** Replaces every secret value in a text, the longest first, also where it stands JSON- or URL-encoded. */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  const longestFirst = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text);
}
