/** What stands in the place of a secret value. */
const REMOVED = "[secret]";

/** Shorter values are ordinary words: removing them would hide the text and no secret. */
const SHORTEST_SECRET = 4;
const SHORTEST_LINE = 8;

/** A log and a quoted answer are cut into lines, and a key of several lines with them. */
function linesOf(secret: string): string[] {
  return secret.split(/\s*\n\s*/).filter((line) => line.length >= SHORTEST_LINE);
}

/** Replaces every secret value in a text, the longest first, also where it stands JSON- or URL-encoded. */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [
      secret,
      ...linesOf(secret),
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
    ]);
  const longestFirst = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text);
}
