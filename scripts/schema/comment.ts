import * as ts from "typescript";
import type { Sources } from "./sources";

/** The text of a comment, for people who write another language: its default is a sentence. */
export function descriptionOf(sources: Sources, symbol: ts.Symbol): string {
  const sentences = textOf(symbol.getDocumentationComment(sources.checker));
  const fallback = tagOf(sources, symbol, "default");
  return fallback === undefined ? sentences : `${sentences}\n\nDefault: ${literalOf(fallback)}.`;
}

/** The program of an `@example`, without its fence. */
export function exampleOf(sources: Sources, symbol: ts.Symbol): string {
  const example = tagOf(sources, symbol, "example") ?? "";
  const [, program] = /^```ts\n([\s\S]*)\n```$/.exec(example.trim()) ?? [];
  if (program === undefined) throw new Error(`${symbol.name} has no @example in TypeScript`);
  return program;
}

function tagOf({ checker }: Sources, symbol: ts.Symbol, name: string): string | undefined {
  const tag = symbol.getJsDocTags(checker).find((candidate) => candidate.name === name);
  return tag && ts.displayPartsToString(tag.text);
}

/** Lines that a comment wraps are one paragraph; lists stay. */
function textOf(parts: ts.SymbolDisplayPart[]): string {
  return ts
    .displayPartsToString(parts)
    .replaceAll(/(?<!\n)\n(?!\n|- )/g, " ")
    .replaceAll(/ +/g, " ")
    .trim();
}

/** A value of the language is set as code; words are not. */
function literalOf(fallback: string): string {
  return /^("[^"]*"|\{.*\}|true|false|\d+)$/.test(fallback) ? `\`${fallback}\`` : fallback;
}
