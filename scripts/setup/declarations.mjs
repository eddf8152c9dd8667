import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The type that zod infers from a schema. */
const INFERRED = new Set(["infer", "input", "output"]);

/**
 * Takes zod out of the declarations that users' compilers reach. A type that is inferred from a schema is written out, and
 * a schema is unknown: zod's own declarations do not compile under every configuration of a project.
 */
export async function writeOutInferredTypes(root) {
  const { exports: entries = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const roots = Object.values(entries)
    .filter((path) => path.endsWith(".js"))
    .map((path) => join(root, path.replace(/\.js$/, ".d.ts")))
    .filter((path) => existsSync(path));
  if (roots.length === 0) return;
  const { default: ts } = await import("typescript");
  const program = ts.createProgram(roots, {
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    skipLibCheck: true,
    types: ["node"],
  });
  const checker = program.getTypeChecker();
  const dist = join(root, "dist/");
  const written = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(dist))
    .map((file) => ({ file, text: withoutZod(ts, checker, file) }));
  for (const { file, text } of written) if (text !== file.text) writeFileSync(file.fileName, text);
}

function withoutZod(ts, checker, file) {
  const imports = file.statements.filter(
    (statement) => ts.isImportDeclaration(statement) && statement.moduleSpecifier.text === "zod",
  );
  if (imports.length === 0) return file.text;
  const names = new Set(imports.flatMap(({ importClause }) => namesIn(importClause)));
  // In the order of the file; those behind are replaced first.
  const edits = [];
  const visit = (node) => {
    if (imports.includes(node)) edits.push({ node, text: "" });
    else if (ts.isTypeReferenceNode(node) && names.has(firstName(ts, node.typeName)))
      edits.push({ node, text: typeOf(ts, checker, node, names) });
    else if (ts.isTypeQueryNode(node) && names.has(firstName(ts, node.exprName)))
      edits.push({ node, text: "unknown" });
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return edits.reduceRight(
    (rest, { node, text }) => rest.slice(0, node.getStart(file)) + text + rest.slice(node.getEnd()),
    file.text,
  );
}

function typeOf(ts, checker, node, names) {
  if (!ts.isQualifiedName(node.typeName) || !INFERRED.has(node.typeName.right.text))
    return "unknown";
  const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;
  const text = checker.typeToString(checker.getTypeFromTypeNode(node), node, flags);
  const isZods = [...names].some((name) => new RegExp(`\\b${name}\\b[.<]`).test(text));
  return isZods ? "unknown" : text;
}

/** The names that an import clause declares. */
const namesIn = ({ name, namedBindings }) =>
  [{ name }, namedBindings ?? {}, ...(namedBindings?.elements ?? [])].flatMap(
    (binding) => binding.name?.text ?? [],
  );

function firstName(ts, name) {
  return ts.isQualifiedName(name) ? firstName(ts, name.left) : name.text;
}
