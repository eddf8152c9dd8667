import { expect } from "chai";
import { isAtLeast } from "../../shared/version";

describe("a version", () => {
  it("is at least another by the first number that differs", () => {
    for (const version of ["22.12", "22.12.0", "22.13.1", "23", "23.0.0-nightly", "100.0.0"])
      expect(isAtLeast(version, "22.12"), version).to.equal(true);
    for (const version of ["22.11.9", "22.2.0", "22", "20.19.5", "9.99.99", "", "unknown"])
      expect(isAtLeast(version, "22.12"), version).to.equal(false);
  });
});
