import type { Effect, Row } from "../../provider/arguments/argument";
import type { PackageSpec } from "../schema/package";
import { nameIn, type ObjectSpec, type TypeSpec } from "../schema/spec";

/** The properties of one table: those of a page's subject, or of an object within them. */
interface Table extends Pick<ObjectSpec, "properties" | "required"> {
  /** The path that leads to them, as a program writes it: empty, or `sourceConfig.resourceSpec`. */
  readonly path: string;
}

/** What the tables of a page say beside the schema. */
interface Facts {
  /** The rows of the checks, which know the effect of a change. Functions have none. */
  readonly rows: readonly Row[];
  readonly effects?: Readonly<Record<Effect, string>>;
}

/** A table of arguments, or of outputs, and one for each object within them. `seen` are the types that the page has. */
export function tablesOf(
  table: Table,
  schema: PackageSpec,
  facts: Facts | undefined,
  seen = new Map<string, string>(),
): string[] {
  const nested: { readonly path: string; readonly spec: ObjectSpec }[] = [];
  const typeText = (type: TypeSpec, path: string): string => {
    if (type.items) return `list of ${typeText(type.items, `${path}[]`)}`;
    if (type.additionalProperties) return `object of ${typeText(type.additionalProperties, path)}`;
    if (!type.$ref) return type.type === "object" ? "object" : (type.type ?? "any");
    const name = nameIn(type.$ref);
    const spec = schema.types[`agentserver:index:${name}`];
    if (spec === undefined) return "any";
    if ("enum" in spec) return spec.enum.map(({ value }) => `\`${value}\``).join(", ");
    if (!seen.has(name)) {
      seen.set(name, path);
      nested.push({ path, spec });
    }
    return `[object](#${anchorOf(seen.get(name) ?? "")})`;
  };
  const rows = Object.entries(table.properties).map(([name, property]) => {
    const path = table.path === "" ? name : `${table.path}.${name}`;
    const type = `${typeText(property, path)}${property.secret ? ", secret" : ""}`;
    const isRequired = facts && table.required.includes(name);
    const subject = `\`${name}\`<br>${type}${isRequired ? "<br>**required**" : ""}`;
    const effect = facts?.effects ? ` ${effectOf(path, facts.rows, facts.effects)} |` : "";
    return `| ${subject} | ${inCell(property.description)} |${effect}`;
  });
  const last = facts?.effects ? " a change |" : "";
  const head = `| ${facts ? "argument" : "output"} | description |${last}`;
  const below = nested.flatMap(({ path, spec }) => [
    `### ${path}`,
    "",
    ...(spec.description ? [spec.description, ""] : []),
    ...tablesOf({ ...spec, path }, schema, facts, seen),
  ]);
  return [head, `|---|---|${last && "---|"}`, ...rows, "", ...below];
}

/** A description in a cell: its paragraphs and lists are lines. */
function inCell(description = ""): string {
  return description
    .replaceAll(/\n+- /g, "<br>• ")
    .replaceAll(/\n+/g, "<br>")
    .replace(/required with .*\.$/, "**$&**")
    .replaceAll("|", "\\|");
}

/** The effect of a change: that of the argument, or of the one that it is a member of. */
function effectOf(path: string, rows: readonly Row[], effects: Readonly<Record<Effect, string>>) {
  const known = rows.filter((row) => isWithin(path, row.path));
  const row = known.toSorted((one, other) => other.path.length - one.path.length)[0];
  return row ? effects[row.effect] : "by member";
}

function isWithin(path: string, container: string): boolean {
  return [".", "[]."].some((link) => `${path}.`.startsWith(`${container}${link}`));
}

/** The anchor of a heading, as renderers of Markdown make it. */
export function anchorOf(heading: string): string {
  const letters = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "");
  return letters.replaceAll(" ", "-");
}
