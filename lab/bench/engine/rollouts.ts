import { classify } from "../../../provider/deployment/service/status";
import { waitFor } from "../../../sdk/wait";
import { type Numbers, Observations, type Table } from "../table";
import { OURS } from "./inputs";

const DELAY = "delay after DEPLOYED (s)";
/** About how long roll-outs last, and the goals for the waits. */
const LENGTHS = [
  { aboutSeconds: 10, goals: { [DELAY]: 1.5, polls: 100 } },
  { aboutSeconds: 60, goals: { [DELAY]: 4.5, polls: 100 } },
  { aboutSeconds: 15 * 60, goals: { [DELAY]: 7.5, polls: 100 } },
];

const OTHERS = [
  { name: "reference client, every 60 s", interval: 60 },
  { name: "every 5 s", interval: 5 },
];

/** Waits for so many roll-outs of each length (± 25 %) on a simulated clock. */
export async function measureRollouts(times: number): Promise<Table[]> {
  const tables: Table[] = [];
  for (const { aboutSeconds, goals } of LENGTHS) {
    const seen = new Observations();
    for (let time = 0; time < times; time++) {
      const seconds = aboutSeconds * (0.75 + Math.random() / 2);
      seen.add(OURS, await waitAsOurs(seconds));
      for (const { name, interval } of OTHERS) seen.add(name, pollEvery(interval, seconds));
    }
    const rows = [seen.row(OURS, goals), ...OTHERS.map(({ name }) => seen.row(name))];
    tables.push({ title: `${times} roll-outs of about ${aboutSeconds} s`, rows });
  }
  return tables;
}

/** When a revision of the public service usually reaches a status, as a share of the whole. */
const REACHED = [
  { status: "CREATING", at: 0 },
  { status: "QUEUED", at: 0.05 },
  { status: "AWAITING_BUILD", at: 0.07 },
  { status: "BUILDING", at: 0.1 },
  { status: "AWAITING_DEPLOY", at: 0.7 },
  { status: "DEPLOYING", at: 0.73 },
  { status: "DEPLOYED", at: 1 },
];

/** The wait of our `Deployment`, whose clock goes on when it sleeps. */
async function waitAsOurs(seconds: number): Promise<Numbers> {
  let nowMs = 0;
  let polls = 0;
  const sleep = async (milliseconds: number) => void (nowMs += milliseconds);
  const clock = { now: () => nowMs, random: Math.random, sleep };
  const poll = async () => {
    polls += 1;
    const { status = "" } = REACHED.findLast(({ at }) => nowMs / 1000 >= at * seconds) ?? {};
    return classify({ status, until: "deployed", isActive: true, deployedForMs: 0 });
  };
  await waitFor({ poll, clock, timeoutMs: Infinity });
  return { [DELAY]: nowMs / 1000 - seconds, polls };
}

/** A client that asks at fixed intervals for the revision's status, as the contract's reference client does. */
function pollEvery(interval: number, seconds: number): Numbers {
  const pauses = Math.ceil(seconds / interval);
  return { [DELAY]: pauses * interval - seconds, polls: 1 + pauses };
}
