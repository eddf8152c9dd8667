/** Options of the redaction of secret values. */
export interface RedactOptions {
  /** Shorter values are ordinary words: redacting them would hide the text and no secret. Characters. @default 4 */
  readonly minLength?: number;
  /** The replacement of a secret value. @default "[secret]" */
  readonly placeholder?: string;
}

/** A shorter line or base64 of a secret value may be an ordinary word. Characters. */
const SHORTEST_PART = 8;

/**
 * Replaces every secret value in a text, the longest first, also where it is JSON-, URL- or base64-encoded. Of a value of
 * several lines, such as a private key, each line is replaced too: logs and quoted responses are cut into lines.
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
  const lines = secret.split("\n").map((line) => line.trim());
  const parts = [...lines, ...base64sOf(secret)].filter((part) => part.length >= SHORTEST_PART);
  return [secret, ...parts, JSON.stringify(secret).slice(1, -1), urlEncoded(secret)];
}

/**
 * The base64 and base64url of a value by itself, and what is the same in that of every text with the value in it, such as
 * `user:password`: base64 encodes 3 bytes as 4 characters, so it depends on the place of the value.
 */
function base64sOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const within = [0, 1, 2].map((place) => {
    const end = place + bytes.length;
    const encoded = Buffer.concat([Buffer.alloc(place), bytes]).toString("base64url");
    return encoded.slice(Math.ceil((place * 4) / 3), Math.floor((end * 4) / 3));
  });
  const unpadded = [bytes.toString("base64url"), ...within];
  const standard = unpadded.map((text) => text.replaceAll("-", "+").replaceAll("_", "/"));
  return [bytes.toString("base64"), ...unpadded, ...standard];
}

/** As URLs have it, in which a lone surrogate can't be encoded (WHATWG URL, "USVString"). */
function urlEncoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}
