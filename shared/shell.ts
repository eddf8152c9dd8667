/** A text as one word of a command line, which a shell takes as it is. */
export function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : quoted(text);
}

/** A text in the quotes in which a shell obeys nothing. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
