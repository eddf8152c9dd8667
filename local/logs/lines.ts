import { shorten } from "../../shared/shorten";

const MAX_LINE_LENGTH = 16_384;

/** The lines of a text, overlong ones cut. SQLite stores neither NUL nor a lone surrogate: U+FFFD replaces them. */
export function linesOf(text: string): string[] {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  return lines.map((line) =>
    shorten(line, MAX_LINE_LENGTH).replaceAll(/\0|\p{Surrogate}/gu, "\ufffd"),
  );
}
