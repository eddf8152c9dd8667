import { expect } from "chai";
import { compile, type Diagnostic, expectations } from "./compile";
import { documents, examples, programsIn } from "./sources";

const COMPILED = programsIn("tests/types/compiles");
/** The same programs, of the native front end. */
const NATIVE = Object.entries(COMPILED).map(([path, text]) => [
  path.replace(".ts", ".native.ts"),
  text.replaceAll('"pulumi-agentserver"', '"pulumi-agentserver/native"'),
]);
const TAKEN = {
  ...COMPILED,
  ...Object.fromEntries(NATIVE),
  ...programsIn("tests/programs"),
  ...programsIn("examples"),
  ...examples(),
  ...documents(),
};
const REFUSED = programsIn("tests/types/refused");

describe("the compiler, with the package's types", () => {
  let diagnostics: readonly Diagnostic[] = [];
  const of = (path: string) => diagnostics.filter(({ file }) => file === path);

  before(() => {
    diagnostics = compile({ ...TAKEN, ...REFUSED });
  });

  for (const path of Object.keys(TAKEN))
    it(`takes ${path}`, () => expect(of(path)).to.deep.equal([]));

  for (const [path, source] of Object.entries(REFUSED))
    describe(`refuses ${path}`, () => {
      const expected = expectations(path, source);
      for (const { line, text, pattern } of expected)
        it(`line ${line}: ${text}`, () => {
          const said = of(path).filter((one) => one.line === line);
          expect(said).to.have.length(1);
          expect(said[0]?.text).to.match(pattern);
        });
      it("and nothing else in it", () => {
        const lines = expected.map(({ line }) => line);
        expect(of(path).filter(({ line }) => !lines.includes(line))).to.deep.equal([]);
      });
    });
});
