import { measureHour } from "./fire/hour";
import { measureKills } from "./fire/kills";
import type { Bench, BenchOptions, Run } from "./run";
import type { Table } from "./table";

/** Number of deployments under load and in the database that is killed, and of agents on real servers. */
const SIZES = { underLoad: 1000, stored: 10_000, agents: 3 };

/** Platforms under load for an hour, and one that is killed again and again. */
export const fire: Bench = {
  about: "platforms under load for an hour, and one that is killed under load (only by name)",
  measure: (run, options) => measureFire(run, { ...options, ...SIZES }),
  isExtra: true,
};

/** The kills come first: they take less time. */
export async function measureFire(run: Run, plan: BenchOptions & typeof SIZES): Promise<Table[]> {
  const kills = plan.kills > 0 ? await measureKills(run, plan) : [];
  const hour = plan.minutes > 0 ? await measureHour(run, plan) : [];
  return [...kills, ...hour];
}
