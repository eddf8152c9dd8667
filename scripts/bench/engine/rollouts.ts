import { quantile, type Row, type Table } from "../figure";
import { aRollout, seeded } from "./stages";
import { pollEvery, startOurs, type Wait, type Waiter } from "./waiters";

/** How much is measured. */
export interface RolloutsPlan {
  /** About how long roll-outs last, and the goal for the median delay after `DEPLOYED`. */
  readonly lengths: readonly Length[];
  readonly repetitions: number;
  /** Roll-outs in a repetition, each with stages of its own. */
  readonly rollouts: number;
}

interface Length {
  readonly seconds: number;
  readonly delaySeconds: number;
}

const MOST_REQUESTS = 100;

/** Waits for roll-outs on a simulated clock, the same ones with each client. */
export async function measureRollouts(plan: RolloutsPlan, signal: AbortSignal): Promise<Table[]> {
  const ours = await startOurs();
  const clients: readonly (readonly [name: string, waiter: Waiter])[] = [
    ["pulumi-agentserver", ours.wait],
    ["reference client, every 60 s", pollEvery(60)],
    ["every 5 s", pollEvery(5)],
  ];
  try {
    const tables: Table[] = [];
    for (const length of plan.lengths) {
      const rows: Row[] = [];
      for (const [name, waiter] of clients) {
        const goals = waiter === ours.wait ? length : undefined;
        rows.push(toRow(name, await waitFor(waiter, { ...plan, ...length, signal }), goals));
      }
      const title = `roll-outs of about ${length.seconds} s (${plan.repetitions} × ${plan.rollouts})`;
      tables.push({ title, rows });
    }
    return tables;
  } finally {
    ours.close();
  }
}

/** All waits of each repetition. */
async function waitFor(
  waiter: Waiter,
  {
    seconds,
    repetitions,
    rollouts,
    signal,
  }: { seconds: number; signal: AbortSignal } & Pick<RolloutsPlan, "repetitions" | "rollouts">,
): Promise<Wait[][]> {
  const all: Wait[][] = [];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const waits: Wait[] = [];
    for (let place = 0; place < rollouts; place++) {
      signal.throwIfAborted();
      const random = seeded(repetition * rollouts + place);
      waits.push(await waiter(aRollout(seconds, random), random));
    }
    all.push(waits);
  }
  return all;
}

function toRow(name: string, repetitions: readonly Wait[][], goals?: Length): Row {
  const delays = repetitions.map((waits) => waits.map(({ delaySeconds }) => delaySeconds));
  const requests = repetitions.map((waits) => waits.map((wait) => wait.requests));
  const median = (values: readonly number[]) => quantile(values, 0.5);
  return {
    name,
    figures: [
      {
        name: "delay after DEPLOYED, median",
        unit: "s",
        values: delays.map(median),
        ...(goals && { atMost: goals.delaySeconds }),
      },
      { name: "longest", unit: "s", values: delays.map((values) => Math.max(...values)) },
      { name: "requests, median", unit: "", values: requests.map(median) },
      {
        name: "most",
        unit: "",
        values: requests.map((values) => Math.max(...values)),
        ...(goals && { atMost: MOST_REQUESTS }),
      },
    ],
  };
}
