import { printable } from "../../../shared/printable";
import { snakeName } from "../../arguments/casing";
import { schemaText } from "./schema";

/** The engine passes on the runtime's options of `Pulumi.yaml`; these are Python's alone. */
const OF_PYTHON = ["TOOLCHAIN", "VIRTUALENV", "TYPECHECKER"].map(
  (name) => `PULUMI_RUNTIME_${name}`,
);

let names: ReadonlySet<string> | undefined;

/**
 * A text with the schema's names as a Python program has them, but for what is in double quotes and for names of its own.
 * Where the engine does not name the language, a name in snake_case that the schema lacks does, and the text has both.
 * Every other language spells them much as the schema.
 */
export function spelled(text: string, environment: NodeJS.Dict<string> = process.env): string {
  const isPython = OF_PYTHON.some((name) => environment[name] !== undefined);
  if (!isPython && !/unknown argument '\S*[a-z]_[a-z]/.test(text)) return printable(text);
  names ??= new Set(schemaText().match(/(?<=")[a-z][a-z\d]*[A-Z]\w*(?=":)/g));
  const inPython = (name: string): string => (names?.has(name) ? snakeName(name) : name);
  return printable(text).replaceAll(/"[^"\n]*"|[a-z]\w*(?:\.\w+|\[\d+\])*/gi, (path) => {
    if (path.startsWith('"')) return path;
    const own = path.search(/\b(?:env|secrets|metadata|context)\./);
    const ours = own === -1 ? path : path.slice(0, own);
    const other = ours.replaceAll(/\w+/g, inPython) + path.slice(ours.length);
    return isPython || other === path ? other : `${path} (${other})`;
  });
}
