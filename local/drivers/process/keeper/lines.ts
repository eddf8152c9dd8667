import type { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

/** A longer line is cut into pieces of about this many characters, so that a child can't fill the memory. */
const MAX_LINE_LENGTH = 16_384;

/**
 * Calls `take` for each line of a child's output, without the colours that are for terminals; a carriage return ends a
 * line too, as progress bars use it. No line is cut within one of the `whole` texts: secrets are hidden in the pieces.
 */
export function eachLine(
  stream: Readable,
  whole: readonly string[],
  take: (line: string) => void,
): void {
  const onLine = (line: string) => take(stripVTControlCharacters(line));
  const longest = Math.max(0, ...whole.map(({ length }) => length));
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const lines = (rest + text).split(/\r?\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    lines.forEach(onLine);
    // With so much of it, whatever begins before the cut is there to its end.
    while (rest.length > MAX_LINE_LENGTH + longest) {
      const end = endOfPiece(rest, whole);
      onLine(rest.slice(0, end));
      rest = rest.slice(end);
    }
    // Two chunks a turn at most, so that a child that writes without end leaves the event loop to others.
    stream.pause();
    setImmediate(() => stream.resume());
  });
  stream.on("close", () => {
    if (rest !== "") onLine(rest);
  });
}

/** Where the first piece of a line ends: before a text that must stay whole, unless that is all of the piece. */
function endOfPiece(line: string, whole: readonly string[]): number {
  for (const text of whole) {
    const start = line.indexOf(text, Math.max(MAX_LINE_LENGTH - text.length + 1, 0));
    if (start === -1 || start >= MAX_LINE_LENGTH) continue;
    return start === 0 ? text.length : start;
  }
  return MAX_LINE_LENGTH;
}
