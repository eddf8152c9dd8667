/** A text without its encodings, and where each character of it, and its end, stands in the text as it was. */
export interface Decoded {
  readonly text: string;
  readonly places: Uint32Array;
}

/** One character of UTF-8, as URLs and forms have it. */
const PERCENT =
  "(%[0-7][0-9a-f]|(?:%[cd][0-9a-f]|%e[0-9a-f]%[89ab][0-9a-f]|%f[0-7](?:%[89ab][0-9a-f]){2})%[89ab][0-9a-f])";
/** As JSON, most languages and shells escape one. */
const ESCAPE = String.raw`\\(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|([^]|$))`;
const REFERENCE = "&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));";
const ENCODED = new RegExp(`^(?:${PERCENT}|${ESCAPE}|${REFERENCE}|[+])`, "i");
/** Of the longest: four bytes of UTF-8. */
const LONGEST = 12;
const FIRST = new Set(Buffer.from(String.raw`%\&+`));

const CONTROLS = new Map(Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }));
const NAMED = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }));

/**
 * Decodes JSON and other escapes by backslashes, URLs, forms and HTML until nothing is encoded, however often it was. A value
 * and each of its encodings become the same text, in which a blank stands for a plus sign, too.
 */
export function decode(text: string): Decoded {
  const units = new Uint16Array(text.length);
  const written = Buffer.from(units.buffer);
  const places = new Uint32Array(text.length + 1).fill(text.length);
  let first = text.length;
  const put = (character: string, place: number): void => {
    for (let unit = character.length - 1; unit >= 0; unit -= 1) {
      first -= 1;
      units[first] = character.charCodeAt(unit);
      places[first] = place;
    }
  };
  const next = (): RegExpExecArray | null =>
    FIRST.has(units[first] ?? 0)
      ? ENCODED.exec(written.toString("utf16le", first * 2, (first + LONGEST) * 2))
      : null;
  // From the end on, in one pass: what is whole only with a character that is decoded itself begins before it.
  for (let at = text.length - 1; at >= 0; at -= 1) {
    put(text.charAt(at), at);
    for (let match = next(); match !== null; match = next()) {
      first += match[0].length;
      put(characterOf(match), at);
    }
  }
  const decoded = written.toString("utf16le", first * 2);
  return { text: decoded.toWellFormed(), places: places.subarray(first) };
}

function characterOf([all, percent, ...match]: RegExpExecArray): string {
  if (percent !== undefined) return Buffer.from(percent.replaceAll("%", ""), "hex").toString();
  const [unit, point, byte, escaped, hex, decimal, name] = match;
  if (escaped !== undefined) return CONTROLS.get(escaped) ?? escaped;
  if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? all;
  const digits = unit ?? point ?? byte ?? hex;
  if (digits === undefined && decimal === undefined) return " ";
  const code = digits === undefined ? Number(decimal) : parseInt(digits, 16);
  return code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
}
