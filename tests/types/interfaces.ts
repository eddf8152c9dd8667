import { join } from "node:path";
import ts from "typescript";
import { REPOSITORY } from "../../scripts/project";

/** A member as an editor shows it. */
export interface Member {
  readonly name: string;
  readonly comment: string;
  /** The text of its `@default`. */
  readonly fallback: string | undefined;
  readonly type: string;
  readonly isOptional: boolean;
}

/** A type that programs import. */
export interface Exported {
  readonly name: string;
  readonly comment: string;
  /** None where it is a union. */
  readonly members: readonly Member[];
}

/** Every type that programs import from the compiled package and that is declared in `provider/`. */
export function exportedTypes(): Exported[] {
  const provider = join(REPOSITORY, "dist/provider/");
  const entry = join(provider, "index.d.ts");
  const program = ts.createProgram([entry], { strict: true, skipLibCheck: true, types: [] });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  const isOurs = (symbol: ts.Symbol) =>
    symbol.declarations?.some((declaration) =>
      declaration.getSourceFile().fileName.startsWith(provider),
    );
  return (module ? checker.getExportsOfModule(module) : [])
    .map((symbol) => checker.getAliasedSymbol(symbol))
    .filter(isOurs)
    .map((symbol) => ({
      name: symbol.name,
      comment: commentOf(symbol, checker),
      members: membersOf(checker.getDeclaredTypeOfSymbol(symbol), checker),
    }));
}

function membersOf(type: ts.Type, checker: ts.TypeChecker): Member[] {
  if (type.isUnion()) return [];
  return checker.getPropertiesOfType(type).map((symbol) => ({
    name: symbol.name,
    comment: commentOf(symbol, checker),
    fallback: defaultOf(symbol, checker),
    type: checker.typeToString(checker.getTypeOfSymbol(symbol)),
    isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
  }));
}

function commentOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker));
}

function defaultOf(symbol: ts.Symbol, checker: ts.TypeChecker): string | undefined {
  const tag = symbol.getJsDocTags(checker).find(({ name }) => name === "default");
  return tag && ts.displayPartsToString(tag.text);
}
