import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { expect } from "chai";
import { preProcessFile } from "typescript";

/** The files that each file imports, in whatever form: lint overlooks the type `typeof import("./other")`. */
function importsOf(folders: readonly string[]): Map<string, string[]> {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const sources = files.filter((name) => /(?<!\.d)\.tsx?$/.test(name));
  return new Map(
    sources.map((file) => {
      const names = preProcessFile(readFileSync(file, "utf8"), true, true).importedFiles;
      const inRepository = names.filter(({ fileName }) => fileName.startsWith("."));
      const targets = inRepository.flatMap(({ fileName }) => {
        const path = join(dirname(file), fileName.replace(/\.js$/, ""));
        return [`${path}.ts`, `${path}.tsx`, join(path, "index.ts")];
      });
      return [file, targets.filter((target) => sources.includes(target))];
    }),
  );
}

/** What is left when those go, again and again, of which no import is left. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  let left = [...imports.keys()];
  for (let before = 0; before !== left.length;) {
    before = left.length;
    left = left.filter((file) => imports.get(file)?.some((other) => left.includes(other)));
  }
  return left;
}

describe("the sources import each other in no circle", () => {
  const imports = importsOf(["shared", "sdk", "settings", "provider", "local", "cli"]);

  it("of files, through the type of a module neither", () => {
    expect(circlesIn(imports)).to.deep.equal([]);
  });

  for (const parent of ["local", "provider", join("provider", "deployment")])
    it(`of the folders of ${parent}`, () => {
      const below = (file: string): string =>
        join(parent, relative(parent, file).split(sep)[0] ?? "");
      const folders = new Map<string, string[]>();
      for (const [file, others] of imports) {
        if (!file.startsWith(parent + sep)) continue;
        const own = below(file);
        const targets = others.filter((other) => other.startsWith(parent + sep)).map(below);
        const known = folders.get(own) ?? [];
        folders.set(own, [...known, ...targets.filter((target) => target !== own)]);
      }
      expect(circlesIn(folders)).to.deep.equal([]);
    });
});
