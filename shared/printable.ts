/** What opens a command of Pulumi's markup: its CLI obeys known ones, drops what follows an open one, and dies of others. */
const MARKUP = "<{%";

/**
 * Text of others, as a terminal may have it: control characters but line break and tab are escaped (`\x1b`, `\u0085`),
 * and Pulumi's markup is broken up (`<\{%reset%}>`), so that both are seen and nobody obeys them.
 */
export function printable(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(/(?![\n\t])\p{Cc}/gu, escaped)
    .replaceAll(MARKUP, String.raw`<\{%`);
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  const digits = code.toString(16);
  return code < 0x80 ? `\\x${digits.padStart(2, "0")}` : `\\u${digits.padStart(4, "0")}`;
}
