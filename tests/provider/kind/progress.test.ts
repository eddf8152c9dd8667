import { expect } from "chai";
import { progressOf } from "../../../provider/kind/progress";
import { aClock } from "../../support/builders";

describe("the progress of a wait", () => {
  function begun() {
    const [clock, shown] = [aClock(), new Array<string>()];
    const progress = (text: string): void => void shown.push(text);
    const log = { progress, info: progress, warn: progress };
    return { clock, shown, ...progressOf({ clock, log }) };
  }

  it("shows each stage once, with the seconds since it began", async () => {
    const { clock, shown, stage } = begun();
    for (const name of ["QUEUED", "QUEUED", "BUILDING"]) {
      stage(name);
      await clock.sleep(4_000);
    }
    expect(shown).to.deep.equal(["QUEUED (0 s)", "BUILDING (8 s)"]);
  });

  it("gives a sign of life every 15 s of a stage that stays", async () => {
    const { clock, shown, stage } = begun();
    for (let second = 0; second <= 46; second += 1) {
      stage("BUILDING");
      await clock.sleep(1_000);
    }
    expect(shown).to.deep.equal([
      "BUILDING (0 s)",
      "BUILDING (15 s)",
      "BUILDING (30 s)",
      "BUILDING (45 s)",
    ]);
  });

  it("shows the end only to whoever was shown a stage", async () => {
    const waited = begun();
    waited.stage("BUILDING");
    await waited.clock.sleep(2_000);
    waited.end("DEPLOYED");
    expect(waited.shown).to.deep.equal(["BUILDING (0 s)", "DEPLOYED (2 s)"]);

    const { end, shown } = begun();
    end("DEPLOYED");
    expect(shown).to.be.empty;
  });
});
