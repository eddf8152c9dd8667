import type { Row } from "../../provider/arguments/argument";
import { LIFECYCLES } from "../../provider/lifecycles";
import type { Properties, PropertySpec } from "./spec";

/** The types that the nested arguments of a deployment are members of. */
const TYPES: Readonly<Record<string, string>> = {
  sourceConfig: "SourceConfig",
  sourceRevisionConfig: "SourceRevisionConfig",
  "sourceConfig.listenerConfig": "ListenerConfig",
};

/** What the tables of the checks and diffs know of an argument: whether it replaces, and the sources that it is for. */
const FACTS = new Map(
  Object.entries(LIFECYCLES).flatMap(([kind, { arguments: rows }]) =>
    rows.map(({ path, effect, sources = [], requiredBy = [] }: Row) => {
      const [name = "", ...owners] = path.split(".").toReversed();
      const isMember = owners.length > 0;
      const owner = isMember ? TYPES[owners.toReversed().join(".")] : kind;
      const sentence = sourcesSentence(sources, isMember ? requiredBy : []);
      return [`${owner}.${name}`, { replaces: effect === "replace", sentence }] as const;
    }),
  ),
);

/** The arguments of a resource, or the members of one, with what the checks and diffs know of them. */
export function withFacts(owner: string, properties: Properties): Properties {
  const entries = Object.entries(properties).map(([name, { description, ...rest }]) => {
    const { replaces, sentence } = FACTS.get(`${owner}.${name}`) ?? {};
    const property: PropertySpec = {
      ...rest,
      description: [description, sentence].filter(Boolean).join("\n\n"),
      ...(replaces && { willReplaceOnChanges: true }),
    };
    return [name, property];
  });
  return Object.fromEntries(entries);
}

function sourcesSentence(sources: readonly string[], requiredBy: readonly string[]): string {
  if (sources.length === 0 && requiredBy.length === 0) return "";
  const listed = sources.map((name) => `\`${name}\``).join(" or ");
  const required = requiredBy.map((name) => `\`${name}\``).join(" and ");
  return `Only with the source ${listed}${required && `; required with ${required}`}.`;
}
