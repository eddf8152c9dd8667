import { isOpen, type Result } from "./run";

const HEAD = ["tenant", "outcome", "attempts", "seconds", ""];

/** The results as lines of a table, those that failed last, and one line that counts them. */
export function tableOf(results: readonly Result[]): string {
  const sorted = [...results.filter((one) => !isOpen(one)), ...results.filter(isOpen)];
  const rows = [HEAD, ...sorted.map(cellsOf)];
  const widths = HEAD.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const counts = Object.entries(countsOf(results)).map(([outcome, count]) => `${count} ${outcome}`);
  return [...lines, "", `${results.length} tenants: ${counts.join(", ")}`].join("\n");
}

/** One line about one attempt, with how far all are: `[12 of 100, failed: 1] alder: done (3.1 s)`. */
export function lineOf(
  { tenant, outcome, seconds, detail }: Result,
  all: readonly Result[],
): string {
  const { failed = 0, "not started": left = 0 } = countsOf(all);
  const progress = `[${all.length - left} of ${all.length}, failed: ${failed}]`;
  return `${progress} ${tenant}: ${outcome} (${seconds.toFixed(1)} s)${detail && ` ${detail}`}`;
}

function cellsOf({ tenant, outcome, attempts, seconds, detail }: Result): string[] {
  return [tenant, outcome, String(attempts), seconds.toFixed(1), detail];
}

function countsOf(results: readonly Result[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
