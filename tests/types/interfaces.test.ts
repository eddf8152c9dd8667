import { join } from "node:path";
import { expect } from "chai";
import ts from "typescript";
import { camelName } from "../../provider/arguments/casing";
import { deploymentArguments } from "../../provider/deployment/declared/argument-table";
import { REPOSITORY } from "../../scripts/project";
import { Source } from "../../sdk/schema";

/** The members of each type that programs import from the compiled package: `repoUrl`, or `buildOnPush?`. */
function membersByType(): ReadonlyMap<string, readonly string[]> {
  const entry = join(REPOSITORY, "dist/provider/index.d.ts");
  const program = ts.createProgram([entry], { strict: true, skipLibCheck: true, types: [] });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  const nameOf = ({ name, flags }: ts.Symbol) =>
    name + (flags & ts.SymbolFlags.Optional ? "?" : "");
  return new Map(
    (module ? checker.getExportsOfModule(module) : []).map((exported) => {
      const type = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(exported));
      return [exported.name, type.isUnion() ? [] : type.getProperties().map(nameOf)];
    }),
  );
}

describe("the types of a deployment's arguments", () => {
  let members: ReturnType<typeof membersByType>;
  before(() => (members = membersByType()));

  for (const source of Source.options)
    it(`have the fields of ${source}, and require those that check requires`, () => {
      for (const config of ["sourceConfig", "sourceRevisionConfig"]) {
        const fields = deploymentArguments.rows
          .filter(({ path, sources }) => {
            const isField = path.startsWith(`${config}.`) && path.split(".").length === 2;
            return isField && (sources?.includes(source) ?? true);
          })
          .map(
            ({ path, requiredBy }) =>
              path.slice(config.length + 1) + (requiredBy?.includes(source) ? "" : "?"),
          );
        const shown = members.get(`${camelName(`_${source}_${config}`)}Args`) ?? [];
        expect(shown).to.have.members(fields);
      }
    });
});
