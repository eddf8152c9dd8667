import { over, type Table } from "../figure";
import { measureRounds, type Rounds } from "../rounds";
import { OPERATIONS } from "./operations";
import type { Subjects } from "./subjects";

/** Measures every operation on the two platforms, beside the bare server. */
export async function measureRequests(
  { small, large, floor }: Subjects,
  rounds: Rounds,
  signal: AbortSignal,
): Promise<Table[]> {
  const measured = await measureRounds([small, large, floor], OPERATIONS, rounds, signal);
  return measured.map(({ operation: { goals }, title, rows }) => {
    const [few, many, bare] = rows;
    const ratios = few && many && bare ? [over(many, few, goals), over(few, bare)] : [];
    return { title, rows: [...rows, ...ratios] };
  });
}
