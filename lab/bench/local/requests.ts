import { median } from "simple-statistics";
import { ask, measure, type Pace, type Request } from "../load";
import type { Run, Server } from "../run";
import { Observations, ratio, rotated, type Row } from "../table";

/** A server with entries. */
export interface Subject<Entries> {
  readonly name: string;
  readonly server: Server;
  readonly entries: Entries;
}

/** A kind of request. */
export interface Operation<Entries> {
  readonly name: string;
  readonly request: (entries: Entries, index: number) => Request;
}

/** Connections over which entries are created at the same time. */
export const CONNECTIONS = 8;
const MANY_TO_FEW_AT_MOST = 1.5;
/** Coprime to every number of entries there is: it leads through all, and never to a neighbour of the one before. */
const STRIDE = 7919;

/** One of these entries, for each request another. */
export function entryOf(entries: readonly string[], index: number): string {
  return entries[(index * STRIDE) % entries.length] ?? "";
}

/** A request without a body, and one with. */
export const get = (path: string): Request => ({ method: "GET", path });
export const post = (path: string, body: object): Request => ({ method: "POST", path, body });

/**
 * Sends each operation to the bare server, a server with few entries and one with many in turn, round after round: what else
 * the machine does hits all alike. The bare server gets the requests of the one with few, and its answers are as long. The
 * first round warms up and is not counted.
 */
export async function measureRequests<Entries>(
  run: Run,
  operations: readonly Operation<Entries>[],
  [floor, few, many]: readonly [floor: Server, few: Subject<Entries>, many: Subject<Entries>],
  { rounds, paces }: { readonly rounds: number; readonly paces: readonly Pace[] },
): Promise<Row[]> {
  const subjects = [{ ...few, name: "floor", server: floor }, few, many];
  const rows: Row[] = [];
  const seen = new Observations();
  let sent = 0;
  for (const { name, request } of operations) {
    const answer = await ask(few.server, request(few.entries, sent++), run.signal);
    const headers = { "X-Answer-Bytes": String(Buffer.byteLength(answer)) };
    for (const pace of paces) {
      const title = `${name}, ${pace.connections} at a time`;
      for (let round = 0; round <= rounds; round++) {
        const medians: Record<string, number> = { floor: NaN, [few.name]: NaN, [many.name]: NaN };
        for (const subject of rotated(subjects, round)) {
          const next = () => ({ ...request(subject.entries, sent++), headers });
          medians[subject.name] = median(await measure(subject.server, pace, next, run));
        }
        if (round > 0) seen.add(title, medians);
      }
      rows.push(withRatios(seen.row(title)));
    }
  }
  return rows;
}

function withRatios({ name, figures }: Row): Row {
  const [floor, few, many] = figures;
  if (!floor || !few || !many) return { name, figures };
  const goal = MANY_TO_FEW_AT_MOST;
  return { name, figures: [floor, few, ratio(few, floor), many, ratio(many, few, goal)] };
}
