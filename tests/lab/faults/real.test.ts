import { expect } from "chai";
import { runOnEngine } from "../../../lab/faults/real";
import { describeLong } from "../../support/tiers";

const LIMIT_MS = 1_800_000;

describeLong("a command on the real engine that is killed or interrupted", () => {
  it("loses nothing, creates nothing twice and shows no secret: seeds 1 to 6", async function () {
    this.timeout(LIMIT_MS);
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    const broken = await runOnEngine({ seed: 1, runs: 6, print });
    expect(broken, lines.join("\n")).to.equal(0);
  });
});
