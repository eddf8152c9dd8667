import type { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

/** A longer line is cut into pieces of this many characters, so that a child can't fill the memory. */
const MAX_LINE_LENGTH = 16_384;

/**
 * Calls `onLine` for each line of a child's output, without the colours that are for terminals; a carriage return ends a
 * line too, as progress bars use it.
 */
export function eachLine(stream: Readable, take: (line: string) => void): void {
  const onLine = (line: string) => take(stripVTControlCharacters(line));
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const lines = (rest + text).split(/\r?\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    lines.forEach(onLine);
    while (rest.length > MAX_LINE_LENGTH) {
      onLine(rest.slice(0, MAX_LINE_LENGTH));
      rest = rest.slice(MAX_LINE_LENGTH);
    }
  });
  stream.on("close", () => {
    if (rest !== "") onLine(rest);
  });
}
