import { readFileSync } from "node:fs";
import ts from "typescript";
import type { Line } from "./documents";
import { textOf } from "./literals";

/** The comments of source files, each as one line. */
export function commentsOf(paths: readonly string[]): Line[] {
  return paths.flatMap((path) => {
    const file = parse(path);
    const found = new Map<number, Line>();
    const note = (ranges: readonly ts.CommentRange[] = []): void => {
      for (const { pos, end } of ranges)
        found.set(pos, { path, line: lineAt(file, pos), text: plain(file.text.slice(pos, end)) });
    };
    eachNode(file, (node) => {
      note(ts.getLeadingCommentRanges(file.text, node.getFullStart()));
      note(ts.getTrailingCommentRanges(file.text, node.end));
    });
    return [...found.values()];
  });
}

/** The titles of tests and their groups. */
export function titlesOf(paths: readonly string[]): Line[] {
  return paths.flatMap((path) => {
    const file = parse(path);
    const titles: Line[] = [];
    eachNode(file, (node) => {
      if (!ts.isCallExpression(node) || !/^(it|describe)/.test(node.expression.getText(file)))
        return;
      const text = node.arguments[0] && textOf(node.arguments[0]);
      if (text !== undefined) titles.push({ path, line: lineAt(file, node.getStart(file)), text });
    });
    return titles;
  });
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
}

function eachNode(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => eachNode(child, visit));
}

function lineAt(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line + 1;
}

function plain(comment: string): string {
  return comment.replaceAll(/\s*\n\s*\*?\s*/g, " ");
}
