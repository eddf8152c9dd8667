import { printableJson } from "../../shared/printable";

/** An expression of a program, in place of a value. */
export class Code {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const WIDTH = 90;
const INDENT = "  ";

/** A value as TypeScript, of which a terminal obeys nothing: on one line where it fits, else a member each. Undefined members are left out. */
export function printValue(value: unknown, indent = ""): string {
  if (value instanceof Code) return value.text;
  if (typeof value !== "object" || value === null) return printableJson(value);
  const within = indent + INDENT;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => printValue(item, within))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => printMember(name, member, within));
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  const space = isList ? "" : " ";
  const line = `${open}${space}${parts.join(", ")}${space}${close}`;
  if (!line.includes("\n") && indent.length + line.length <= WIDTH) return line;
  return `${open}\n${parts.map((part) => `${within}${part},\n`).join("")}${indent}${close}`;
}

function printMember(name: string, value: unknown, indent: string): string {
  if (value instanceof Code && value.text === name) return name;
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : printableJson(name);
  // Written plainly, it sets the prototype and no member.
  return `${name === "__proto__" ? `["${name}"]` : key}: ${printValue(value, indent)}`;
}

/** Names that a program cannot use for its own constants. */
const TAKEN = new Set(
  (
    "adoptExisting agentserver apiKey config pulumi await break case catch class const continue debugger default delete do else " +
    "enum export extends false finally for function if implements import in instanceof interface let new null package " +
    "private protected public return static super switch this throw true try typeof var void while with yield " +
    "arguments async eval exports module require undefined"
  ).split(" "),
);

/** Makes names of constants, each once: `support-de` is `supportDe`. */
export function identifiers(): (name: string) => string {
  const used = new Set(TAKEN);
  return (name) => {
    const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
    const camel = words
      .map((word, at) => {
        const first = word.charAt(0);
        return (at === 0 ? first.toLowerCase() : first.toUpperCase()) + word.slice(1);
      })
      .join("");
    const base = /^[a-z]/i.test(camel) ? camel : `_${camel}`;
    let unique = base;
    for (let count = 2; used.has(unique); count += 1) unique = `${base}${count}`;
    used.add(unique);
    return unique;
  };
}
