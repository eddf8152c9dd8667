import type { Figure, Row } from "./figure";
import { measure, type Pace, type Request, type Sample } from "./load";
import type { Address } from "./servers";

/** A server that is measured beside others. */
export interface Subject {
  readonly name: string;
  readonly server: Address;
  /** It forgets what it is sent: there is nothing to undo. */
  readonly forgets?: true;
}

/** A kind of request. */
export interface Operation<Asked extends Subject> {
  readonly name: string;
  readonly request: (subject: Asked, index: number) => Request;
  /** How much of a pace's requests it gets (0 to 1). @default 1 */
  readonly share?: number;
  /** Makes the server what it was before. */
  readonly undo?: (server: Address, signal: AbortSignal) => Promise<void>;
}

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
interface Case<Asked extends Subject> {
  readonly operation: Operation<Asked>;
  readonly pace: Pace;
}

/** What one case came to on one server in one round. */
interface Observation {
  readonly observed: object;
  readonly on: Subject;
  readonly sample: Sample;
}

/** What an operation at a pace came to: a row for each server, in their order. */
export interface Measured<Kind> {
  readonly operation: Kind;
  /** For example `create, 8 at a time (15 rounds of 80)`. */
  readonly title: string;
  readonly rows: readonly Row[];
}

/**
 * Measures in rounds, in each of which every operation goes to all servers in turn: what else the machine does hits all
 * alike. A round before them warms up and is not counted.
 */
export async function measureRounds<Asked extends Subject, Kind extends Operation<Asked>>(
  subjects: readonly Asked[],
  operations: readonly Kind[],
  { most, fewest, untilMs, paces }: Rounds,
  signal: AbortSignal,
): Promise<Measured<Kind>[]> {
  const cases = operations.flatMap((operation) =>
    paces.map((pace) => ({ operation, pace: paceOf(operation, pace) })),
  );
  await measureRound(cases, subjects, { round: 0, signal });
  const observations: Observation[] = [];
  let rounds = 0;
  while (rounds < most && (rounds < fewest || performance.now() < untilMs))
    observations.push(...(await measureRound(cases, subjects, { round: (rounds += 1), signal })));
  return cases.map((observed) => ({
    operation: observed.operation,
    title: titleOf(observed, rounds),
    rows: subjects.map((subject) => {
      const own = observations.filter(
        ({ on, ...of }) => on === subject && of.observed === observed,
      );
      return rowOf(subject, own);
    }),
  }));
}

function paceOf({ share = 1 }: { share?: number }, { clients, requests }: Pace): Pace {
  return { clients, requests: Math.ceil(requests * share) };
}

/** Sends every case to the servers, in an order that changes from round to round. */
async function measureRound<Asked extends Subject>(
  cases: readonly Case<Asked>[],
  subjects: readonly Asked[],
  { round, signal }: { round: number; signal: AbortSignal },
): Promise<Observation[]> {
  const first = round % subjects.length;
  const turns = [...subjects.slice(first), ...subjects.slice(0, first)];
  const observations: Observation[] = [];
  let sent = round * 1000;
  for (const observed of cases)
    for (const on of turns) {
      const { operation, pace } = observed;
      const next = () => operation.request(on, sent++);
      const sample = await measure(on.server, next, { ...pace, signal });
      observations.push({ observed, on, sample });
      if (!on.forgets) await operation.undo?.(on.server, signal);
    }
  return observations;
}

function titleOf({ operation, pace }: Case<never>, rounds: number): string {
  return `${operation.name}, ${pace.clients} at a time (${rounds} rounds of ${pace.requests})`;
}

function rowOf({ name }: Subject, observations: readonly Observation[]): Row {
  const figure = (title: string, unit: string, member: keyof Sample): Figure => ({
    name: title,
    unit,
    values: observations.map(({ sample }) => sample[member]),
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
