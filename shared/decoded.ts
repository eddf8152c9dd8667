/** A text without its encodings, and where each character of it, and its end, stands in the text as it was. */
export interface Decoded {
  readonly text: string;
  readonly places: Uint32Array;
}

/** One character of UTF-8, as URLs and forms have it. */
const PERCENT =
  "(%[0-7][0-9a-f]|(?:%[cd][0-9a-f]|%e[0-9a-f]%[89ab][0-9a-f]|%f[0-7](?:%[89ab][0-9a-f]){2})%[89ab][0-9a-f])";
/** As JSON, most languages and shells escape one. */
const ESCAPE = String.raw`\\+(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|([^]|$))`;
const REFERENCE = "&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));";
const ENCODED = new RegExp(`${PERCENT}|${ESCAPE}|${REFERENCE}|[+]`, "gi");

const CONTROLS = new Map(Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }));
const NAMED = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }));

/**
 * Decodes JSON and other escapes by backslashes, URLs, forms and HTML until nothing is encoded, however often it was. A value
 * and each of its encodings become the same text, in which a blank stands for a plus sign, too.
 */
export function decode(text: string): Decoded {
  const places = new Uint32Array(text.length + 1).map((_, at) => at);
  for (let from: Decoded = { text, places }; ;) {
    const to = decodeOnce(from);
    if (to.text === from.text) return { ...from, text: from.text.toWellFormed() };
    from = to;
  }
}

function decodeOnce({ text, places }: Decoded): Decoded {
  const parts: string[] = [];
  const rest = new Uint32Array(places.length);
  let [end, length] = [0, 0];
  const copyUntil = (to: number): void => {
    parts.push(text.slice(end, to));
    rest.set(places.subarray(end, to), length);
    length += to - end;
  };
  for (const match of text.matchAll(ENCODED)) {
    copyUntil(match.index);
    const character = characterOf(match);
    parts.push(character);
    rest.fill(places[match.index] ?? 0, length, length + character.length);
    length += character.length;
    end = match.index + match[0].length;
  }
  copyUntil(places.length);
  return { text: parts.join(""), places: rest.subarray(0, length) };
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
