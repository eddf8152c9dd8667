import { join } from "node:path";
import * as ts from "typescript";
import { REPOSITORY } from "../project";

/** The declarations that TypeScript programs import, as the compiler knows them. */
export interface Sources {
  readonly checker: ts.TypeChecker;
  /** The declared type of an interface or class that the package exports. */
  readonly typeOf: (name: string) => ts.Type;
  readonly symbolOf: (name: string) => ts.Symbol;
}

/** Reads the sources of the package with the compiler. */
export function readSources(): Sources {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const path = join(REPOSITORY, "tsconfig.json");
  const { options = {} } = ts.getParsedCommandLineOfConfigFile(path, {}, host) ?? {};
  const entry = join(REPOSITORY, "provider/index.ts");
  const program = ts.createProgram([entry], { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${entry} is not a module`);
  const exported = new Map(
    checker.getExportsOfModule(module).map((symbol) => {
      const isAlias = symbol.flags & ts.SymbolFlags.Alias;
      return [symbol.name, isAlias ? checker.getAliasedSymbol(symbol) : symbol];
    }),
  );
  const symbolOf = (name: string): ts.Symbol => {
    const symbol = exported.get(name);
    if (symbol === undefined) throw new Error(`provider/index.ts exports no ${name}`);
    return symbol;
  };
  return { checker, symbolOf, typeOf: (name) => checker.getDeclaredTypeOfSymbol(symbolOf(name)) };
}
