import type { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

/** Longer lines are cut into pieces of about this many characters, so that a child process can't fill the memory. */
const MAX_LINE_LENGTH = 16_384;
/** A record of a log in JSON is one line, however long its traceback. */
const MAX_RECORD_LENGTH = 262_144;

/**
 * Calls `take` for each line of output, without terminal colours. A carriage return ends a line too, as in progress
 * bars. No line is cut within one of the `uncut` strings: they are secrets, which are masked piece by piece.
 */
export function eachLine(
  stream: Readable,
  uncut: readonly string[],
  take: (line: string) => void,
): void {
  const onLine = (line: string) => take(stripVTControlCharacters(line));
  const longest = Math.max(0, ...uncut.map(({ length }) => length));
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const lines = (rest + text).split(/\r?\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    lines.forEach(onLine);
    // By this length, a secret that begins before the cut is complete.
    while (rest.length > (rest.startsWith("{") ? MAX_RECORD_LENGTH : MAX_LINE_LENGTH) + longest) {
      const end = cutPosition(rest, uncut);
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

/** The position to cut a line at: before a string that must stay uncut, unless the line begins with it. */
function cutPosition(line: string, uncut: readonly string[]): number {
  for (const text of uncut) {
    const start = line.indexOf(text, Math.max(MAX_LINE_LENGTH - text.length + 1, 0));
    if (start === -1 || start >= MAX_LINE_LENGTH) continue;
    return start === 0 ? text.length : start;
  }
  return MAX_LINE_LENGTH;
}
