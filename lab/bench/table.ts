import { max, median, min, quantile } from "simple-statistics";

/** One thing that was measured, in several repetitions; smaller is better where it has a goal. */
export interface Figure {
  /** With the unit: `RSS (MB)`. */
  readonly name: string;
  /** One value for each repetition, in their order. */
  readonly values: readonly number[];
  /** Printed after each value. */
  readonly sign?: "×";
  /** The goal. */
  readonly atMost?: number | undefined;
}

/** Figures about one subject. */
export interface Row {
  readonly name: string;
  readonly figures: readonly Figure[];
}

/** Rows with the same figures. */
export interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** Numbers by the names of figures: what one repetition came to, or goals. */
export type Numbers = Readonly<Record<string, number>>;

/** The figures of each subject, repetition by repetition. */
export class Observations {
  readonly #seen = new Map<string, Numbers[]>();

  add(subject: string, numbers: Numbers): void {
    const seen = this.#seen.get(subject);
    if (seen) seen.push(numbers);
    else this.#seen.set(subject, [numbers]);
  }

  /** A row of all repetitions of a subject. */
  row(subject: string, goals: Numbers = {}): Row {
    const seen = this.#seen.get(subject) ?? [];
    const figures = Object.keys(seen[0] ?? {}).map((name) => {
      const values = seen.map((numbers) => numbers[name] ?? NaN);
      return { name, values, atMost: goals[name] };
    });
    return { name: subject, figures };
  }
}

/** The ratio of each repetition of a figure to the same repetition of another. */
export function ratio(figure: Figure, base: Figure, atMost?: number): Figure {
  const values = figure.values.map((value, repetition) => value / (base.values[repetition] ?? NaN));
  return { name: `${figure.name} : ${base.name}`, sign: "×", values, atMost };
}

/** The ratios of the figures of two rows. */
export function over(row: Row, base: Row, goals: Numbers = {}): Row {
  const figures = row.figures.flatMap((figure, place) => {
    const other = base.figures[place];
    return other ? [{ ...ratio(figure, other, goals[figure.name]), name: figure.name }] : [];
  });
  return { name: `${row.name} : ${base.name}`, figures };
}

/** The items in an order that changes from round to round. */
export function rotated<Item>(items: readonly Item[], round: number): Item[] {
  const first = round % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

/** Whether three quarters of the repetitions hold a goal, or miss it; else the run was too noisy to say. */
export function verdictOf({ values, atMost }: Figure): "holds" | "missed" | "noisy" | undefined {
  if (atMost === undefined) return undefined;
  if (quantile(values, 0.75) <= atMost) return "holds";
  return quantile(values, 0.25) > atMost ? "missed" : "noisy";
}

/** A table for people: each figure as its median, its spread and, where it has one, its goal. */
export function format({ title, rows }: Table): string {
  const lines = [
    [title, ...(rows[0]?.figures.map(({ name }) => name) ?? [])],
    ...rows.map(({ name, figures }) => [`  ${name}`, ...figures.map(formatFigure)]),
  ];
  const pad = (cell: string, column: number) =>
    cell.padEnd(max(lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) => `${line.map(pad).join("   ").trimEnd()}\n`).join("");
}

const number = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

function formatFigure(figure: Figure): string {
  const { values, sign = "", atMost } = figure;
  if (values.some(Number.isNaN)) return "not known here";
  // A ratio to a floor that has none.
  if (values.includes(Infinity)) return "–";
  const spread = `${number.format(min(values))}..${number.format(max(values))}`;
  const measured = `${number.format(median([...values]))}${sign}`;
  const all = values.length > 1 ? `${measured} (${spread})` : measured;
  if (atMost === undefined) return all;
  return `${all} ≤ ${number.format(atMost)}${sign}: ${verdictOf(figure)}`;
}
