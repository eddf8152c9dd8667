import { join } from "node:path";
import ts from "typescript";
import { REPOSITORY } from "../../scripts/project";
import type { Sources } from "./sources";

/** The compiler options of a new Pulumi project, which checks declarations too. The package is there as it is installed. */
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Preserve,
  noEmit: true,
  types: ["node"],
  // The package.json of examples/gitops keeps the compiler from finding this package by its own name.
  paths: {
    "pulumi-agentserver/native": [join(REPOSITORY, "dist/provider/adapters/native/index.d.ts")],
  },
};

/** Compiles programs by their paths in the repository, as a user does. An error that a comment expects is an error here. */
export function compile(sources: Sources) {
  const files = new Map(
    Object.entries(sources).map(([path, text]) => [
      join(REPOSITORY, path),
      text.replaceAll(EXPECTED, "// expected:"),
    ]),
  );
  const host = ts.createCompilerHost(OPTIONS);
  const program = ts.createProgram([...files.keys()], OPTIONS, {
    ...host,
    fileExists: (path) => files.has(path) || host.fileExists(path),
    readFile: (path) => files.get(path) ?? host.readFile(path),
    getSourceFile: (path, options, ...rest) => {
      const text = files.get(path);
      return text === undefined
        ? host.getSourceFile(path, options, ...rest)
        : ts.createSourceFile(path, text, options);
    },
  });
  const diagnostics = ts.getPreEmitDiagnostics(program).map(toDiagnostic);
  return { diagnostics, files: program.getSourceFiles().map(({ fileName }) => fileName) };
}

function toDiagnostic({ file, start = 0, messageText }: ts.Diagnostic) {
  return {
    file: file?.fileName.slice(REPOSITORY.length + 1) ?? "",
    line: (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1,
    text: ts.flattenDiagnosticMessageText(messageText, "\n"),
  };
}

const EXPECTED = "// @ts-expect-error:";

/** Errors that a program expects, by the line of each; `…` stands for any text. */
export function expectations(file: string, source: string) {
  return source.split("\n").flatMap((line, at) => {
    const [, text] = line.split(`${EXPECTED} `);
    if (text === undefined) return [];
    const pattern = new RegExp(text.split("…").map(escaped).join("[^]*"));
    return [{ file, line: at + 2, text, pattern }];
  });
}

const escaped = (text: string) => text.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
