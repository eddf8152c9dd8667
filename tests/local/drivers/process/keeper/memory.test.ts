import { expect } from "chai";
import { memoryOfGroups } from "../../../../../local/drivers/process/keeper/memory";

describe("local/drivers/process/keeper/memory", () => {
  it("is read once for simultaneous calls, and again for a later one", async () => {
    const readings = Array.from({ length: 600 }, () => memoryOfGroups());
    expect(new Set(readings)).to.have.property("size", 1);
    const [first] = await Promise.all(readings);
    expect(first).not.to.equal(await memoryOfGroups());
    expect(Math.max(...(first?.values() ?? []))).to.be.greaterThan(0);
  });
});
