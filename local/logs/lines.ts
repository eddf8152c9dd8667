const MAX_LINE_LENGTH = 16_384;

/** The lines of a text, overlong ones cut. SQLite stores neither NUL nor a lone surrogate: U+FFFD replaces them. */
export function linesOf(text: string): string[] {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  return lines.map((line) => cut(line).replaceAll(/\0|\p{Surrogate}/gu, "\ufffd"));
}

function cut(line: string): string {
  const rest = line.length - MAX_LINE_LENGTH;
  return rest > 0 ? `${line.slice(0, MAX_LINE_LENGTH)} … (${rest} more characters)` : line;
}
