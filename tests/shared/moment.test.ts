import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { isLaterCreate } from "../../provider/resource/find";
import { inTokyo } from "../support/time-zone";
import { momentIn } from "../../shared/moment";

describe("times", () => {
  it("without an offset are in UTC, wherever this machine is", () =>
    inTokyo(() => {
      const texts = ["2026-01-02T03:04:00", "2026-01-02 03:04:00.0", "2026-01-02T05:04+02:00"];
      for (const text of texts)
        expect(new Date(momentIn(text)).toISOString()).to.equal("2026-01-02T03:04:00.000Z");
      const [createdAt, asked] = ["2026-01-02T03:04:00Z", "2026-01-02T03:04:00"];
      expect(isLaterCreate({ createdAt }, asked)).to.equal(false);
      expect(momentIn("yesterday")).to.be.NaN;
    }));

  it("go on where somebody sets the machine's clock", async () => {
    const script = `
      let now = Date.now();
      Date.now = () => now;
      const { systemClock } = require(${JSON.stringify(require.resolve("../../shared/clock"))});
      const before = systemClock.now();
      now -= 3_600_000;
      console.log(Math.abs(before - now) < 7_200_000, systemClock.now() >= before);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", script]);
    expect(stdout).to.equal("true true\n");
  });
});
