import { expect } from "chai";
import type { Environment } from "../../../lab/faults/environment";
import { startRealPlatform } from "../../../lab/faults/real/platform";
import { search } from "../../../lab/faults/search";
import { describeLong } from "../../support/tiers";

const LIMIT_MS = 1_800_000;
const SEEDS = [1, 2, 3, 4, 5, 6];

describeLong("a command on the real engine that is killed or interrupted", () => {
  let environment: Environment;

  before(async () => (environment = await startRealPlatform()));
  after(() => environment.close());

  for (const seed of SEEDS)
    it(`loses nothing, creates nothing twice and shows no secret: seed ${seed}`, async function () {
      this.timeout(LIMIT_MS);
      const choice = { frontEnd: "both", states: "one", engine: true } as const;
      const { violations, history, lines } = await search(environment, choice, { seed });
      expect(violations, [history, ...lines].join("\n")).to.deep.equal([]);
    });
});
