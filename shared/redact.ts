/** How secret values are redacted. */
export interface RedactOptions {
  /** Shorter values are ordinary words: redacting them would hide the text and no secret. Characters. @default 4 */
  readonly minLength?: number;
  /** What is put in the place of a secret value. @default "[secret]" */
  readonly placeholder?: string;
}

/** A shorter line of a secret value is an ordinary word. Characters. */
const SHORTEST_LINE = 8;

/**
 * Replaces every secret value in a text, the longest first, also where it is JSON- or URL-encoded. Of a value of several
 * lines, such as a private key, each line is replaced too: logs and quoted responses are cut into lines.
 */
export function redact(text: string, secrets: readonly string[], options?: RedactOptions): string {
  return redactor(secrets, options)(text);
}

/** A `redact` for many texts with the same secrets. */
export function redactor(
  secrets: readonly string[],
  { minLength = 4, placeholder = "[secret]" }: RedactOptions = {},
): (text: string) => string {
  const forms = secrets.filter((secret) => secret.length >= minLength).flatMap(formsOf);
  const longestFirst = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  return (text) =>
    longestFirst.reduce((rest, form) => rest.replaceAll(form, () => placeholder), text);
}

function formsOf(secret: string): string[] {
  const lines = secret
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length >= SHORTEST_LINE);
  return [secret, ...lines, JSON.stringify(secret).slice(1, -1), urlEncoded(secret)];
}

/** As URLs have it, in which a lone surrogate can't be encoded (WHATWG URL, "USVString"). */
function urlEncoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}
