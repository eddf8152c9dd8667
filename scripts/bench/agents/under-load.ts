import type { Row, Table } from "../figure";
import type { AgentPlatform } from "./platform";
import { loadRollOvers, type RollOverLoad } from "./roll-overs";
import type { Prepared } from "./subjects";

const SHOWN_FAILURES = 5;

/** Lets one deployment of each agent roll over so many times while requests come, and counts what became of these. */
export async function measureRollOvers(
  platform: AgentPlatform,
  prepared: readonly Prepared[],
  { times, say }: { times: number; say: (text: string) => void },
): Promise<Table> {
  const rows: Row[] = [];
  for (const { name, repoUrl, rate } of prepared) {
    say(`${name}: ${times} roll-overs under ${rate.perSecond} requests a second`);
    const deployment = await platform.deploy(`${name.toLowerCase()}-under-load`, repoUrl);
    const load = await loadRollOvers(deployment.url ?? "", rate, async () => {
      for (let time = 0; time < times; time++) await platform.rollOver(deployment);
    });
    for (const failure of load.failures.slice(0, SHOWN_FAILURES)) say(`${name}: ${failure}`);
    await platform.remove(deployment);
    rows.push(toRow(`${name}, ${rate.perSecond} /s`, load));
  }
  return { title: `${times} roll-overs under load`, rows };
}

function toRow(name: string, load: RollOverLoad): Row {
  const count = (what: string, value: number) => ({ name: what, unit: "", values: [value] });
  return {
    name,
    figures: [
      { ...count("failed", load.failures.length), atMost: 0 },
      { ...count("threads lost", load.lost.length), atMost: 0 },
      { name: "longest wait", unit: "s", values: [load.longestMs / 1000] },
      { name: "sent", unit: "/s", values: [load.perSecond] },
      count("requests", load.requests),
      count("threads", load.threads),
    ],
  };
}
