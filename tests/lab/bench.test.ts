import { expect } from "chai";
import { measureAgents } from "../../lab/bench/agents";
import { measureEngine } from "../../lab/bench/engine";
import { measureFire } from "../../lab/bench/fire";
import { measureLocal } from "../../lab/bench/local";
import { Run } from "../../lab/bench/run";
import { format, type Table } from "../../lab/bench/table";
import { describeNightly } from "../support/tiers";

/** Each bench with the least that it measures, and the number of its tables. */
const BENCHES: Readonly<Record<string, readonly [number, (run: Run) => Promise<Table[]>]>> = {
  "the local platform and the built-in server": [
    4,
    (run) =>
      measureLocal(run, {
        deployments: { few: 8, many: 12 },
        threads: { few: 10, many: 20 },
        starts: 1,
        rounds: 1,
        paces: [{ connections: 2, requests: 4 }],
      }),
  ],
  agents: [1, (run) => measureAgents(run, { agents: 1, rollOvers: 1, minutes: 0 })],
  kills: [1, (run) => measureFire(run, { kills: 3, stored: 100 })],
  "the engine": [
    5,
    (run) =>
      measureEngine(run, {
        starts: 1,
        waits: { seconds: 1, atOnce: 2, times: 1 },
        sizes: [2],
        creates: 1,
        limits: { rates: [50], resources: 2, listed: 2 },
      }),
  ],
};

describeNightly("npm run bench ends with every table of", () => {
  for (const [what, [count, measure]] of Object.entries(BENCHES))
    it(what, async () => {
      const { signal } = new AbortController();
      const tables = await Run.with({ signal, say: () => undefined }, measure);
      expect(tables).to.have.length(count);
      for (const table of tables) {
        expect(table.rows, table.title).not.to.be.empty;
        expect(format(table)).to.match(/\d/).and.not.contain("not known here");
      }
    });
});
