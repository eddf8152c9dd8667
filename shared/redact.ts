import { secretsIn } from "./authorization";
import { unicodeEscape } from "./printable";

/** Options of the redaction of secret values. */
export interface RedactOptions {
  /** Shorter values are ordinary words: redacting them would hide the text and no secret. Characters. @default 4 */
  readonly minLength?: number;
  /** The replacement of a secret value. @default "[secret]" */
  readonly placeholder?: string;
}

/** A line or base64 of a secret value that has fewer than 8 characters may be an ordinary word. */
const isLong = (part: string): boolean => part.length >= 8;

/**
 * Replaces every secret value in a text, the longest first, also where it is encoded: JSON, URL, form or base64. Of a value
 * of several lines, such as a private key, each line is replaced too: logs and quoted responses are cut into lines.
 */
export function redact(text: string, secrets: readonly string[], options?: RedactOptions): string {
  return redactor(secrets, options)(text);
}

/** A `redact` for many texts with the same secrets. */
export function redactor(
  secrets: readonly string[],
  { minLength = 4, placeholder = "[secret]" }: RedactOptions = {},
): (text: string) => string {
  const values = secrets.flatMap((secret) => [secret, ...secretsIn(secret)]);
  const forms = values.filter(({ length }) => length >= minLength).flatMap(formsOf);
  const longestFirst = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  return (text) =>
    longestFirst.reduce((rest, form) => rest.replaceAll(form, () => placeholder), text);
}

function formsOf(secret: string): string[] {
  const lines = secret.split("\n").map((line) => line.trim());
  const forms = [...new Set([secret, ...urlEncodings(secret)])];
  const parts = [...lines, ...forms.flatMap(base64sOf)].filter(isLong);
  return [...forms, ...parts, ...jsonsOf(secret)];
}

/** As JSON of JavaScript, of Go, which also escapes what HTML obeys, and of Python, which escapes all but ASCII. */
function jsonsOf(secret: string): string[] {
  const plain = JSON.stringify(secret).slice(1, -1);
  return [
    plain,
    ...[/[<>&\u2028\u2029]/g, /[^ -~]/g].map((one) => plain.replace(one, unicodeEscape)),
  ];
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

/** As URLs and forms have it, and Basic (RFC 6749 §2.3.1). A lone surrogate can't be encoded (WHATWG URL, "USVString"). */
function urlEncodings(secret: string): string[] {
  const text = secret.replace(/\p{Surrogate}/gu, "\ufffd");
  const url = encodeURIComponent(text);
  const form = new URLSearchParams({ "": text }).toString().slice(1);
  const basic = form.replace(/[-_.*]/g, (mark) =>
    `%${mark.charCodeAt(0).toString(16)}`.toUpperCase(),
  );
  return [url, url.replaceAll("%20", "+"), form, basic];
}
