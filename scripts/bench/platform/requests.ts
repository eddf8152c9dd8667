import { over, type Figure, type Row, type Table } from "../figure";
import { measure, type Pace, type Sample } from "../load";
import { OPERATIONS, type Operation } from "./operations";
import type { Subjects } from "./subjects";

/** How much is measured. */
export interface Rounds {
  readonly most: number;
  /** So many are made even when the time is up. */
  readonly fewest: number;
  /** No further one begins after this, on the clock of `performance.now()`. */
  readonly untilMs: number;
  /** How each operation is sent in a round. */
  readonly paces: readonly Pace[];
}

/** One operation at one pace. */
interface Case {
  readonly operation: Operation;
  readonly pace: Pace;
}

/** What one case came to on one server in one round. */
interface Observation {
  readonly observed: Case;
  readonly on: keyof Subjects;
  readonly sample: Sample;
}

const ORDERS = [
  ["small", "large", "floor"],
  ["floor", "small", "large"],
  ["large", "floor", "small"],
] as const;

/**
 * Measures in rounds, in each of which every operation goes to all three servers in turn: what else the machine does
 * hits all alike. A round before them warms up and is not counted.
 */
export async function measureRequests(
  subjects: Subjects,
  { most, fewest, untilMs, paces }: Rounds,
  signal: AbortSignal,
): Promise<Table[]> {
  const cases = OPERATIONS.flatMap((operation) => paces.map((pace) => toCase(operation, pace)));
  await measureRound(cases, subjects, { round: 0, signal });
  const observations: Observation[] = [];
  for (let round = 1; round <= most; round++)
    if (round <= fewest || performance.now() < untilMs)
      observations.push(...(await measureRound(cases, subjects, { round, signal })));
  return cases.map((observed) => toTable(observed, subjects, observations));
}

function toCase(operation: Operation, { clients, requests }: Pace): Case {
  return { operation, pace: { clients, requests: Math.ceil(requests * (operation.share ?? 1)) } };
}

/** Sends every case to the three servers, in an order that changes from round to round. */
async function measureRound(
  cases: readonly Case[],
  subjects: Subjects,
  { round, signal }: { round: number; signal: AbortSignal },
): Promise<Observation[]> {
  const observations: Observation[] = [];
  let sent = round * 1000;
  for (const observed of cases)
    for (const on of ORDERS[round % ORDERS.length] ?? ORDERS[0]) {
      const { operation, pace } = observed;
      const subject = subjects[on];
      const next = () => operation.request(subject, sent++);
      const sample = await measure(subject.server, next, { ...pace, signal });
      observations.push({ observed, on, sample });
      if (on !== "floor") await operation.undo?.(subject.server, signal);
    }
  return observations;
}

function toTable(observed: Case, subjects: Subjects, observations: readonly Observation[]): Table {
  const rowOf = (name: keyof Subjects) => {
    const own = observations.filter(({ on, ...of }) => on === name && of.observed === observed);
    return toRow(
      subjects[name].name,
      own.map(({ sample }) => sample),
    );
  };
  const [small, large, floor] = [rowOf("small"), rowOf("large"), rowOf("floor")];
  const { operation, pace } = observed;
  const rounds = floor.figures[0]?.values.length;
  return {
    title: `${operation.name}, ${pace.clients} at a time (${rounds} rounds of ${pace.requests})`,
    rows: [small, large, floor, over(large, small, operation.goals), over(small, floor)],
  };
}

function toRow(name: string, samples: readonly Sample[]): Row {
  const figure = (title: string, unit: string, member: keyof Sample): Figure => ({
    name: title,
    unit,
    values: samples.map((sample) => sample[member]),
  });
  return {
    name,
    figures: [
      figure("requests", "/s", "perSecond"),
      figure("median", "ms", "medianMs"),
      figure("p95", "ms", "p95Ms"),
    ],
  };
}
