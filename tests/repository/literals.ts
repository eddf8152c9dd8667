import { readFileSync } from "node:fs";
import ts from "typescript";

/** A string that a source file writes. */
export interface Literal {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** A literal joined with `+` is one text; a variable in it is written `…`. */
  readonly text: string;
}

/** The strings of source files: those that users may see are among them. */
export function literalsOf(paths: readonly string[]): Literal[] {
  return paths.flatMap((path) => {
    const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
    const literals: Literal[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
      const text = textOf(node);
      if (text === undefined) return ts.forEachChild(node, visit);
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      literals.push({ path, line: line + 1, text });
      visitHoles(node, visit);
    };
    visit(file);
    return literals;
  });
}

/** The text of a literal, or of literals joined with `+`; undefined for any other node. */
export function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isJsxText(node)) return node.text.trim().replaceAll(/\s+/g, " ") || undefined;
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce(
      (text, { literal }) => `${text}…${literal.text}`,
      node.head.text,
    );
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken)
    return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : `${left ?? "…"}${right ?? "…"}`;
}

/** Strings within what fills in a part of another one stand for themselves too. */
function visitHoles(node: ts.Node, visit: (node: ts.Node) => void): void {
  if (ts.isTemplateExpression(node)) node.templateSpans.forEach((span) => visit(span.expression));
  else if (ts.isBinaryExpression(node))
    for (const side of [node.left, node.right])
      if (ts.isStringLiteralLike(side)) continue;
      else if (ts.isTemplateExpression(side) || ts.isBinaryExpression(side))
        visitHoles(side, visit);
      else visit(side);
}
