import { expect } from "chai";
import { setImmediate } from "node:timers/promises";
import { progressOf } from "../../../provider/resource/progress";
import { aClock } from "../../support/builders";

describe("the progress of a wait", () => {
  function begun() {
    const [clock, shown] = [aClock(), new Array<string>()];
    const progress = async (text: string): Promise<void> => {
      await setImmediate();
      shown.push(text);
    };
    const log = { progress, info: progress, warn: progress };
    return { clock, shown, ...progressOf({ clock, log }) };
  }

  it("shows nothing of five seconds, not even the end, then each stage and the end, which the engine then has", async () => {
    const { clock, shown, stage, end } = begun();
    const seen = new Array<string | undefined>();
    for (const name of ["QUEUED", "QUEUED", "BUILDING", "DEPLOYING", "DEPLOYING"]) {
      stage(name);
      await end(`${name} has ended`);
      seen.push(shown.at(-1));
      await clock.sleep(4_000);
    }
    const ended = ["BUILDING has ended", "DEPLOYING has ended"];
    expect(seen).to.deep.equal([undefined, undefined, ended[0], ended[1], ended[1]]);
    expect(shown).to.deep.equal(["BUILDING", ended[0], ended[1], "DEPLOYING", ended[1]]);
  });

  it("gives no more signs of life where only the time without an answer counts on", async () => {
    const { clock, shown, stage } = begun();
    for (let second = 0; second <= 36; second += 1) {
      stage(`503 busy for ${second} s; still trying`);
      await clock.sleep(1_000);
    }
    await setImmediate();
    expect(shown).to.deep.equal([5, 20, 35].map((at) => `503 busy for ${at} s; still trying`));
  });

  it("gives a sign of life every 15 s of a stage that stays, with the line it is given, cut", async () => {
    const { clock, shown, stage, isDue } = begun();
    for (let second = 0; second <= 36; second += 1) {
      if (isDue("BUILDING")) stage("BUILDING", second < 30 ? `step ${second}` : "x".repeat(101));
      await clock.sleep(1_000);
    }
    await setImmediate();
    expect(shown).to.deep.equal([
      "BUILDING: step 5",
      "BUILDING: step 20",
      `BUILDING: ${"x".repeat(99)}…`,
    ]);
  });
});
