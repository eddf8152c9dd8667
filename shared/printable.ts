/** The beginning of a command of Pulumi's markup: its CLI obeys known ones, drops the text after an open one, and crashes on others. */
const MARKUP = "<{%";

/**
 * Control characters but line break and tab, other line breaks, what turns the direction of text around, and half a character, as
 * a cut leaves it: gRPC cannot encode that in an error, and ends the process.
 */
const CONTROLS = /(?![\n\t])\p{Cc}|\p{Surrogate}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Text of others, as a terminal may have it: control characters but line break and tab, and half a character, are escaped
 * (`\x1b`, `\u0085`, `\u202e`, `\ud83d`), and Pulumi's markup is broken up (`<\{%reset%}>`), so that both are seen and nobody obeys them.
 */
export function printable(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(CONTROLS, escaped)
    .replaceAll(MARKUP, String.raw`<\{%`);
}

/** Text of others on one line. */
export function oneLine(text: string): string {
  return printable(text).replace(/[\n\t]+ */g, " ");
}

/** Text of others inside ours: its further lines are indented, so that none passes for a line of ours. */
export function indented(text: string, indent = "    "): string {
  return text.replace(/\r?\n/g, `\n${indent}`);
}

/** A value as JSON, of which a terminal obeys nothing: what JSON may hold as it is, is escaped too. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(CONTROLS, unicodeEscape);
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, "0")}` : unicodeEscape(character);
}

/** As JSON escapes a character, of which it has one unit of UTF-16. */
function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
