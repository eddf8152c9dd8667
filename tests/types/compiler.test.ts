import { expect } from "chai";
import { compile, expectations } from "./compile";
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
  let said: ReturnType<typeof compile>;
  const of = (path: string) => said.diagnostics.filter(({ file }) => file === path);

  before(() => {
    said = compile({ ...TAKEN, ...REFUSED });
  });

  it("finds nothing wrong in the package's declarations, which reach no zod", () => {
    expect(said.diagnostics.filter(({ file }) => file.startsWith("dist/"))).to.deep.equal([]);
    expect(said.files.filter((name) => name.includes("/node_modules/zod/"))).to.deep.equal([]);
  });

  for (const path of Object.keys(TAKEN))
    it(`takes ${path}`, () => expect(of(path)).to.deep.equal([]));

  for (const [path, source] of Object.entries(REFUSED))
    describe(`refuses ${path}`, () => {
      const expected = expectations(path, source);
      for (const { line, text, pattern } of expected)
        it(`line ${line}: ${text}`, () => {
          const [first, ...others] = of(path).filter((one) => one.line === line);
          expect(others).to.be.empty;
          expect(first?.text).to.match(pattern);
        });
      it("and nothing else in it", () => {
        const lines = expected.map(({ line }) => line);
        expect(of(path).filter(({ line }) => !lines.includes(line))).to.deep.equal([]);
      });
    });
});
