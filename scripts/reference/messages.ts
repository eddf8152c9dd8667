import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ResourceTypeName, RESOURCE_TYPES } from "../../provider/resource-types";
import { REPOSITORY } from "../project";

/** A message in a table of a document. */
export interface Message {
  /** The heading that it stands below. */
  readonly heading: string;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** Code in Markdown. */
const CODE = /``\s?(.+?)\s?``|`([^`]+)`/g;

/** The messages in tables whose head calls them so. */
export function messagesIn(markdown: string): Message[] {
  let [column, heading] = [-1, ""];
  return markdown.split("\n").flatMap((text, index) => {
    heading = /^#+ (.*)/.exec(text)?.[1] ?? heading;
    const cells = text.split("|").slice(1, -1);
    if (cells.length === 0) column = -1;
    const head = cells.findIndex((cell) => /^ (message|the preview says) $/.test(cell));
    if (head >= 0) column = head;
    const quoted = head >= 0 ? [] : [...(cells[column] ?? "").matchAll(CODE)];
    return quoted.map(([, double, single = ""]) => ({
      heading,
      text: double ?? single,
      line: index + 1,
    }));
  });
}

/** The word by which a message, or a heading, is about a kind. */
const wordOf = ({ noun }: (typeof RESOURCE_TYPES)[ResourceTypeName]): RegExp =>
  noun === "deployment"
    ? /\b(?:deployment|revision|roll(?:ed )?back|smoke check)\b/
    : new RegExp(`\\b${noun}\\b`);

/** The sections of the document about what any request may end with. */
export const CONTROL_PLANE = "The control plane responds with an error";
export const AGENT_SERVER = "An agent server does not respond";

/**
 * The messages of a kind, without those of every request: what names the kind first, or names none below a heading that
 * names it or none. A status alone is not a message.
 */
export function messagesOf(kind: ResourceTypeName): Message[] {
  const document = readFileSync(join(REPOSITORY, "docs/failures.md"), "utf8");
  return messagesIn(document)
    .filter(({ heading, text }) => heading !== CONTROL_PLANE && text.includes(" "))
    .filter(({ text }, at, all) => all.findIndex((message) => message.text === text) === at)
    .filter(({ heading, text }) => [kind, undefined].includes(kindIn(text) ?? kindIn(heading)));
}

function kindIn(text: string): ResourceTypeName | undefined {
  const found = Object.values(RESOURCE_TYPES)
    .map((kind) => ({ type: kind.type, at: text.search(wordOf(kind)) }))
    .filter(({ at }) => at >= 0);
  return found.toSorted((one, other) => one.at - other.at)[0]?.type;
}
