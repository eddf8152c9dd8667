import { expect } from "chai";
import { Crashes } from "../../../../../local/drivers/process/servers/managed-server";

const MINUTE_MS = 60_000;

describe("Crashes", () => {
  it("never pauses longer than 30 s", () => {
    const crashes = new Crashes();
    const pauses = [0, 1, 2, 3, 4, 5, 6].map((turn) => crashes.add(turn * 20_000, 20_000));
    expect(pauses).to.deep.equal([1, 2, 4, 8, 16, 30, 30]);
  });

  it("starts over after a minute of running", () => {
    const crashes = new Crashes();
    crashes.add(0, 0);
    crashes.add(1000, 0);
    expect(crashes.add(1000 + MINUTE_MS, MINUTE_MS)).to.equal(1);
  });
});
