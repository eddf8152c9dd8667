import { expect } from "chai";
import fc from "fast-check";
import { Fault, Faults } from "../../../local/admin/faults";

describe("local/admin/faults", () => {
  const text = (characters: string[]) =>
    fc.array(fc.constantFrom(...characters), { maxLength: 8 }).map((all) => all.join(""));

  it("match a path as a pattern does whose stars stand for any text", () =>
    fc.assert(
      fc.property(text(["a", "b", ".", "*"]), text(["a", "b", "."]), (pattern, path) => {
        const faults = new Faults();
        faults.add(Fault.parse({ match: { path: pattern }, action: "status" }));
        const expression = pattern.replaceAll(".", "[.]").replaceAll("*", ".*");
        const fits = new RegExp(`^${expression}$`).test(path);
        expect(faults.take("GET", path) !== undefined).to.equal(fits);
      }),
      { numRuns: 2000 },
    ));

  it("look at a path once whatever the pattern", () => {
    const faults = new Faults();
    faults.add(Fault.parse({ match: { path: `${"*a".repeat(12)}X` }, action: "status" }));
    expect(faults.take("GET", "a".repeat(200))).to.equal(undefined);
  });
});
