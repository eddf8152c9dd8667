import { existsSync, readFileSync } from "node:fs";
import ts from "typescript";
import { z } from "zod";
import * as schemas from "../../sdk/schema";
import * as statuses from "../../sdk/status";

const NAMED: readonly [name: string, value: unknown][] = [
  ...Object.entries(schemas),
  ...Object.entries(statuses),
];
const EXPORTED = new Set(NAMED.map(([, value]) => value));

/**
 * Every name that the schema of the wire gives to something: the members of each exported object (`Deployment.name`),
 * with those of objects that have no name of their own (`Superstep.updates.as_node`), the values of each exported list of
 * words (`Source.git_host`), and everything else by its own name (`ThreadId`).
 */
export const schemaEntries = (): string[] =>
  NAMED.flatMap(([name, value]) => entriesOf(name, value));

function entriesOf(name: string, value: unknown): string[] {
  if (value instanceof z.ZodObject) return membersOf(name, value);
  if (value instanceof z.ZodEnum) return value.options.map((option) => `${name}.${option}`);
  if (Array.isArray(value)) return value.map((option) => `${name}.${option}`);
  return value instanceof z.ZodType ? [name] : [];
}

function membersOf(name: string, { shape }: z.ZodObject): string[] {
  return Object.entries(shape).flatMap(([key, member]) => {
    const path = `${name}.${key}`;
    const unnamed = alternativesOf(member).filter((inner) => !EXPORTED.has(inner));
    const nested = unnamed.filter((inner) => inner instanceof z.ZodObject);
    return [path, ...nested.flatMap((inner) => membersOf(path, inner))];
  });
}

/** The possible values of a type that is neither missing nor null nor in a list. */
function alternativesOf(schema: unknown): unknown[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  )
    return alternativesOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return alternativesOf(schema.element);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternativesOf);
  return [schema];
}

/**
 * The sentences of the tests in a file; what a sentence takes from a variable is written `…`. A test that is skipped or
 * commented out has none. Undefined when mocha would find no such file, nor one that such a file shares with others.
 */
export function testSentences(path: string): string[] | undefined {
  if (!/^tests\/.*\.(test|suite)\.ts$/.test(path) || !existsSync(path)) return undefined;
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  const sentences: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText(file) === "it")
      sentences.push(sentenceOf(node.arguments[0]));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return sentences;
}

function sentenceOf(title: ts.Expression | undefined): string {
  if (title === undefined) return "";
  if (ts.isStringLiteralLike(title)) return title.text;
  if (!ts.isTemplateExpression(title)) return "…";
  return title.templateSpans.reduce(
    (sentence, { literal }) => `${sentence}…${literal.text}`,
    title.head.text,
  );
}
