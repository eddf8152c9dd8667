import type { Row } from "../../provider/arguments/argument";
import { LIFECYCLES } from "../../provider/lifecycles";
import type { Properties, PropertySpec } from "./spec";

/** The types that the nested arguments of a deployment are members of. */
const TYPES: Readonly<Record<string, string>> = {
  sourceConfig: "SourceConfig",
  sourceRevisionConfig: "SourceRevisionConfig",
  "sourceConfig.listenerConfig": "ListenerConfig",
};

/** The facts about an argument in the tables of the checks and diffs. */
interface Facts {
  readonly replaces: boolean;
  /** The end of the description: the sources that the argument is for. */
  readonly sources?: string;
}

const FACTS: ReadonlyMap<string, Facts> = new Map(
  Object.entries(LIFECYCLES).flatMap(([kind, { arguments: rows }]) =>
    rows.map(({ path, effect, sources, requiredBy }: Row): [string, Facts] => {
      const parts = path.split(".");
      const owner = parts.length > 1 ? TYPES[parts.slice(0, -1).join(".")] : kind;
      const sentence = sourcesSentence(sources ?? [], (parts.length > 1 && requiredBy) || []);
      return [`${owner}.${parts.at(-1)}`, { replaces: effect === "replace", sources: sentence }];
    }),
  ),
);

/** The arguments of a resource, or the members of one, with what the checks and diffs know of them. */
export function withFacts(owner: string, properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      withFact(property, FACTS.get(`${owner}.${name}`)),
    ]),
  );
}

function withFact(property: PropertySpec, facts: Facts | undefined): PropertySpec {
  const { description = "", ...rest } = property;
  return {
    ...rest,
    description: [description, facts?.sources].filter(Boolean).join("\n\n"),
    ...(facts?.replaces && { willReplaceOnChanges: true }),
  };
}

function sourcesSentence(sources: readonly string[], requiredBy: readonly string[]): string {
  const listed = sources.map((name) => `\`${name}\``).join(" or ");
  const required = requiredBy.map((name) => `\`${name}\``).join(" and ");
  if (requiredBy.length === 0) return listed && `Only with the source ${listed}.`;
  return `Only with the source ${listed}; required with ${required}.`;
}
