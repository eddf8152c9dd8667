import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { isLaterCreate } from "../../provider/resource/find";
import { momentIn } from "../../shared/moment";

describe("times", () => {
  it("without an offset are in UTC, wherever this machine is", () => {
    const { TZ } = process.env;
    process.env["TZ"] = "Asia/Tokyo";
    const texts = ["2026-01-02T03:04:00", "2026-01-02 03:04:00.0", "2026-01-02T05:04+02:00"];
    const moments = texts.map((text) => new Date(momentIn(text)).toISOString());
    const isAnother = isLaterCreate({ createdAt: "2026-01-02T03:04:00Z" }, "2026-01-02T03:04:00");
    if (TZ === undefined) delete process.env["TZ"];
    else process.env["TZ"] = TZ;
    expect(new Set(moments)).to.have.all.keys("2026-01-02T03:04:00.000Z");
    expect(isAnother).to.equal(false);
    expect(momentIn("yesterday")).to.be.NaN;
  });

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
