import { secretsIn } from "./authorization";
import { decode } from "./decoded";

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
 * Replaces every secret value in a text, also where it is encoded, once or more often: by backslashes as in JSON, as a URL, a
 * form, HTML or base64. Of a value of several lines, such as a private key, each line is replaced too: logs and quoted
 * responses are cut into lines.
 */
export function redact(text: string, secrets: readonly string[], options?: RedactOptions): string {
  return redactor(secrets, options)(text);
}

/** A `redact` for many texts with the same secrets. */
export function redactor(
  secrets: readonly string[],
  { minLength = 4, placeholder = "[secret]" }: RedactOptions = {},
): (text: string) => string {
  const isLongEnough = ({ length }: string): boolean => length >= minLength;
  // One from a file ends in a newline, which most who use it take away.
  const values = secrets.flatMap((secret) => [secret, secret.trim(), ...secretsIn(secret)]);
  const forms = [...new Set(values.filter(isLongEnough).flatMap(formsOf))];
  const decodedForms = [...new Set(forms.map((form) => decode(form).text))].filter(isLongEnough);
  return (text) => {
    const decoded = decode(text);
    const ranges = [
      ...forms.flatMap((form) => rangesOf(form, text)),
      ...decodedForms
        .flatMap((form) => rangesOf(form, decoded.text))
        .map((range) => range.map((at) => decoded.places[at] ?? at)),
    ];
    return replace(text, ranges, placeholder);
  };
}

/** The beginning and the end of each place where a part is in a text. */
function rangesOf(part: string, text: string): number[][] {
  const ranges: number[][] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length))
    ranges.push([at, at + part.length]);
  return ranges;
}

/** Ranges that overlap are replaced as one. */
function replace(text: string, ranges: number[][], placeholder: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const [from = 0, to = 0] of ranges.toSorted(([a = 0], [b = 0]) => a - b)) {
    if (from >= end) parts.push(text.slice(end, from), placeholder);
    end = Math.max(end, to);
  }
  return [...parts, text.slice(end)].join("");
}

function formsOf(secret: string): string[] {
  const lines = secret.split("\n").map((line) => line.trim());
  const parts = [secret, ...urlEncodings(secret)].flatMap(base64sOf);
  return [secret, ...[...lines, ...parts].filter(isLong)];
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
